/** Body of the task of a picture. */
import type { Json } from '../../pure/json.ts'

export interface PictureTask {
  id: string
  object: 'image.generation'
  model: string
  status: 'in_progress' | 'completed' | 'failed'
  /** Percent. */
  progress: number
  /** Unix seconds. */
  created_at: number
  completed_at: number | null
  error: { code: string; message: string } | null
  data?: Json[]
  usage?: unknown
}
