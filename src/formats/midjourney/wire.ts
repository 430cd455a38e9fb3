/** Bodies of Midjourney Proxy, as clients send and upstreams answer them. https://github.com/novicezk/midjourney-proxy (read 2026-11) */
import type { Json } from '../../pure/json.ts'

/** What is asked for, as tasks and prices name it. */
export type MidjourneyAction =
  | 'IMAGINE'
  | 'DESCRIBE'
  | 'BLEND'
  | 'SHORTEN'
  | 'EDITS'
  | 'VIDEO'
  | 'SWAP_FACE'
  | 'UPLOAD'
  | 'MODAL'
  | 'UPSCALE'
  | 'VARIATION'
  | 'HIGH_VARIATION'
  | 'LOW_VARIATION'
  | 'REROLL'
  | 'PAN'
  | 'ZOOM'
  | 'CUSTOM_ZOOM'
  | 'INPAINT'

/** Paths at which tasks are submitted, in the words of the code. */
export type SubmitKind =
  | 'imagine'
  | 'change'
  | 'simple_change'
  | 'describe'
  | 'blend'
  | 'action'
  | 'modal'
  | 'shorten'
  | 'upload'
  | 'swap_face'
  | 'edits'
  | 'video'

/** Every answer to a submit, refusals included. */
export interface SubmitAnswer {
  code: number
  description: string
  /** Id of the task; addresses of what was uploaded. */
  result: string | string[] | null
  properties: Json
}

/** A task, as it is fetched, listed and pushed. */
export interface MidjourneyTask {
  id: string
  action: MidjourneyAction
  customId: string
  botType: string
  prompt: string
  promptEn: string
  description: string
  /** The client's own mark. */
  state: string
  /** Unix milliseconds, 0 for none. */
  submitTime: number
  startTime: number
  finishTime: number
  imageUrl: string
  videoUrl: string
  videoUrls: { url: string }[]
  status: string
  /** Such as `37%`. */
  progress: string
  failReason: string
  buttons: Json[]
  maskBase64: string
  properties: Json
}
