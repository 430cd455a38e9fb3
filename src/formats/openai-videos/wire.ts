/** Bodies of OpenAI's videos. https://platform.openai.com/docs/api-reference/videos (read 2026-11) */

export type VideoStatus = 'queued' | 'in_progress' | 'completed' | 'failed'

export interface Video {
  id: string
  object: 'video'
  model: string
  status: VideoStatus
  /** Percent. */
  progress: number
  /** Unix seconds. */
  created_at: number
  completed_at: number | null
  expires_at: number | null
  /** A number as text. */
  seconds?: string
  size?: string
  remixed_from_video_id: string | null
  error: { code: string; message: string } | null
  metadata?: { url: string }
}

export interface VideoList {
  object: 'list'
  data: Video[]
  first_id: string | null
  last_id: string | null
  has_more: boolean
}

/** The older form of gateways. */
export interface Generation {
  task_id: string
  status: 'queued' | 'processing' | 'succeeded' | 'failed'
  url?: string
  format?: string
  metadata?: { duration?: number; width?: number; height?: number }
  error?: { code: number; message: string }
}
