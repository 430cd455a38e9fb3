/** A request for a video in canonical form: clients' formats are read into it, makers' bodies are written from it. */
import type { Json } from '../../pure/json.ts'

export interface VideoRequest {
  model: string
  prompt: string
  /** Length. */
  seconds?: number
  /** Such as `720p`; lines of the shorter side, or the maker's name for a number of pixels. */
  resolution?: string
  /** Width to height, such as `16:9`. */
  ratio?: string
  /** Width and height in pixels, such as `1280x720`; with its resolution and ratio. */
  size?: string
  /** Address or data URL of a picture that the video begins with. */
  first_frame?: string
  last_frame?: string
  /** Pictures of what is to be seen. */
  references?: string[]
  /** Address of a video that is changed or continued. */
  video?: string
  seed?: number
  negative_prompt?: string
  /** With sound, or silent; absent where the maker decides. */
  sound?: boolean
  /** Fields of the maker's own. */
  metadata?: Json
  /** The upstream's id of a finished video, which is made anew by another prompt; the rest is as that was asked for. */
  remixed_id?: string
  /** Its address, where that needs no key. */
  remixed_url?: string
}

/** What is priced beside the units: by these names rules of prices ask for it. */
export function traitsOf({ resolution, ratio, sound, ...request }: VideoRequest): Record<string, string> {
  return {
    ...(resolution && { resolution }),
    ...(ratio && { ratio }),
    ...(sound !== undefined && { sound: sound ? 'on' : 'off' }),
    input: inputOf(request),
  }
}

export const inputOf = ({ video, remixed_id, first_frame, last_frame, references }: Partial<VideoRequest>) => {
  if (video || remixed_id) return 'video'
  return first_frame || last_frame || references?.length ? 'image' : 'text'
}

export const picturesOf = ({ first_frame, last_frame, references = [] }: Partial<VideoRequest>): string[] =>
  [first_frame, last_frame, ...references].filter(picture => picture !== undefined)

/** A request as it is kept: of files that it contains, their types alone. */
export const withoutFiles = (request: VideoRequest): Json =>
  JSON.parse(JSON.stringify(request, (_, value) => (isDataUrl(value) ? value.slice(0, value.indexOf(',') + 1) : value)))

/** Whether a request that is kept has lost a file. */
export const hasLostFiles = (request: Partial<VideoRequest>): boolean =>
  picturesOf(request).some(picture => /^data:[^,]*,$/i.test(picture))

export const isDataUrl = (value: unknown): value is string => typeof value === 'string' && /^data:/i.test(value)
