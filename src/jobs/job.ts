export interface Job {
  name: string
  /** 0 is never. */
  every_minutes(): number
  work(): Promise<void>
}
