/** Videos as Kling's clients ask for them. https://app.klingai.com/global/dev/document-api (read 2026-11) */
import type { Json } from '../../pure/json.ts'
import type { ApiError } from '../canonical/chat.ts'
import type { Flaw } from '../json/checks.ts'
import { objectsOf } from '../json/lenient-json.ts'
import { readRequest } from '../openai-videos/read-request.ts'
import { videoClient } from '../videos/index.ts'
import type { VideoRequest } from '../videos/request.ts'

/** Fields that change no price: the upstream's capabilities say which it takes. */
const own = ['cfg_scale', 'camera_control', 'static_mask', 'dynamic_masks', 'watermark_info']

/** Kling's names for what others have too. */
export function readKlingRequest(body: Json): VideoRequest | Flaw {
  const { model_name, model, image_list, video_list, duration, ...rest } = body
  const pictures = objectsOf(image_list)
  const [first] = pictures.filter(({ type }) => type === 'first_frame')
  const [last] = pictures.filter(({ type }) => type === 'end_frame')
  const references = pictures.filter(picture => picture !== first && picture !== last)
  const metadata = Object.fromEntries(own.filter(name => name in rest).map(name => [name, rest[name]]))
  return readRequest({
    ...rest,
    ...{ model: model_name ?? model ?? USUAL_MODEL, duration, metadata },
    image: rest.image ?? first?.image_url,
    last_frame: rest.image_tail ?? last?.image_url,
    reference_images: references.map(({ image_url }) => image_url),
    video: objectsOf(video_list)[0]?.video_url,
  })
}

const USUAL_MODEL = 'kling-v1'

/** Codes of the maker, by HTTP status. */
const codes: Record<number, number> = { 401: 1000, 403: 1103, 404: 1203, 429: 1302 }
const [INVALID, FAILED] = [1201, 5000]

const writeError = ({ status, message, request_id }: ApiError): Json => ({
  code: codes[status] ?? (status < 500 ? INVALID : FAILED),
  message,
  request_id: request_id ?? '',
})

export const klingVideos = videoClient('kling-videos', { readRequest: readKlingRequest, writeError })
