/** Kling's answers about a task. https://app.klingai.com/global/dev/document-api (read 2026-11) */

export interface KlingTask {
  task_id: string
  task_status: 'submitted' | 'processing' | 'succeed' | 'failed'
  task_status_msg?: string
  task_result?: { videos: { id: string; url: string; duration: string }[] }
  /** Unix milliseconds. */
  created_at: number
  updated_at: number
}

export interface KlingAnswer {
  code: 0
  message: 'SUCCEED'
  request_id: string
  data: KlingTask
}
