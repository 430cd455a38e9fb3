/** A periodic job, declared in a file of its own and listed in `schedule.ts`. */
export interface Job {
  name: string
  /** `cluster`: one node runs it, under a lease. `node`: every node runs it for itself. */
  scope: 'cluster' | 'node'
  /** 0 pauses the job; may read an option. */
  every_seconds(): number
  /** Its signal is aborted when the lease is lost or the process stops. */
  run(signal: AbortSignal): Promise<void>
}
