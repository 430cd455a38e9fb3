/** What goes on until it is stopped. */
export interface Attack {
  /** How often each status came back, or `closed` without one. */
  seen: Record<string, number>
  stop(): void
}
