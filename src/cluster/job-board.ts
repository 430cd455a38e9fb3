/** The periodic jobs as the console shows them: the scheduler, which stands above, posts them here. */
import type { LeasedRun } from './leases.ts'

export interface PostedJob {
  name: string
  scope: 'cluster' | 'node'
  /** Seconds between two starts; 0 while it is paused. */
  every(): number
  /** Unix seconds of the last run on this node that has succeeded. */
  succeeded(): number | undefined
  /** Starts it now; absent for jobs that every node runs for itself. */
  run?: LeasedRun
}

const board: PostedJob[] = []

export const postJob = (job: PostedJob) => void board.push(job)

export const postedJobs = (): readonly PostedJob[] => board
