/** The running system, and its newest release, as administrators see them. */

export interface SystemInfo {
  version: string
  /** Start of this process, unix seconds. */
  start_time: number
  /** For example `Bun 1.4.0, linux x64`. */
  runtime: string
  /** For example `SQLite 3.50.4`. */
  database: string
  database_bytes: number
  /** Processes that share the database. */
  nodes: number
}

export interface ReleaseCheck {
  current: string
  latest: string
  is_newer: boolean
  /** Page of the release; empty when it names none. */
  url: string
  /** Sanitised HTML of its notes. */
  notes: string
}
