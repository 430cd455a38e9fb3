/** Bodies of Suno-API, as clients send and upstreams answer them. https://github.com/Suno-API/Suno-API (read 2026-11) */

/** Actions, as paths and tasks name them. */
export type SunoAction = 'MUSIC' | 'LYRICS'

/** Every response; an error has another code. */
export interface SunoAnswer<Data> {
  code: 'success' | (string & {})
  message: string
  data: Data
}

/** A task, as it is fetched. */
export interface SunoTask {
  task_id: string
  notify_hook: string
  action: SunoAction
  status: string
  fail_reason: string
  /** Unix seconds, 0 for none. */
  submit_time: number
  start_time: number
  finish_time: number
  /** Such as `30%`. */
  progress: string
  search_item: string
  /** Songs, or a text with its title. */
  data: unknown
}
