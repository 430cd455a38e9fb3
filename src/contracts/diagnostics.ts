/** What the diagnostics page and the support bundle show of the running system. */

export const DIAGNOSTICS_PATH = '/admin/diagnostics'

export interface NodeFacts {
  id: string
  /** Serves this page. */
  is_this: boolean
  version: string
  /** Host name and port. */
  address: string
  /** Unix seconds. */
  started_time: number
  memory_bytes: number
  loop_lag_ms: number
  /** Calls that run. */
  calls: number
  /** How far its clock is before the database's; absent for the only node. */
  clock_offset_ms?: number
}

export interface JobFacts {
  name: string
  /** Seconds between two starts; 0 while it is paused. */
  every: number
  /** Each node runs it for itself. */
  is_of_node: boolean
  /** Unix seconds: start of the last run, of a node's own job its end. */
  last_time?: number
  next_time?: number
  /** Id of the node that runs it now. */
  holder?: string
}

export interface AuditRun {
  /** Unix seconds of its end; absent while it runs. */
  ended_time?: number
  took_ms?: number
  /** The first wrong figure, as an English sentence. */
  difference?: string
  /** It could not be completed. */
  error?: string
}

/** Of `BACKUP_URL`, as this node knows it. Times are Unix seconds. */
export interface BackupFacts {
  /** The light: false while nothing is uploaded, and after a test that has failed. */
  ok: boolean
  /** Newest moment that can be restored; absent before the first snapshot. */
  newest_time?: number
  snapshot_time?: number
  /** Why nothing is uploaded. */
  error?: string
  /** Last time between two moments that can be restored, since this node began; `to` is absent until there is a snapshot. */
  gap?: { from: number; to?: number }
  is_testing: boolean
  /** An empty error is a clean audit. */
  last_test?: { at: number; error: string }
}

export interface ShownWarning {
  /** Unix seconds. */
  at: number
  level: 'warn' | 'error'
  /** With its fields. */
  text: string
}

/** A user with calls that wait on this node for a channel with room. */
export interface QueuedUser {
  user_id: number
  username: string
  calls: number
  /** Share of the user, in proportion to the others'. */
  weight: number
  /** Of the call that waits longest. */
  waited_ms: number
  models: string[]
}

export interface Diagnostics {
  nodes: NodeFacts[]
  database: { engine: string; size_bytes: number; latency_ms: number; pool?: Record<string, number> }
  /** Absent without `REDIS_URL`. */
  redis?: { latency_ms?: number }
  /** Of this node, absent where there is none. */
  changes_lag_seconds?: number
  settle_queue: number
  /** Calls that wait on this node for a channel with room. */
  queued: number
  /** Who waits, those with the most calls first, at most 50. */
  queue: QueuedUser[]
  oldest_hold_seconds?: number
  jobs: JobFacts[]
  /** Rows and entries that this process keeps in memory, the largest first. */
  caches: { name: string; entries: number }[]
  warnings: ShownWarning[]
  /** The last one of this node. */
  audit?: AuditRun
  /** Absent without `BACKUP_URL`. */
  backup?: BackupFacts
}
