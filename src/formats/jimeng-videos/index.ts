/** Videos as Jimeng's clients ask for them. https://www.volcengine.com/docs/85621/1792704 (read 2026-11) */
import type { Json } from '../../pure/json.ts'
import type { ApiError } from '../canonical/chat.ts'
import { type Flaw, isAbsent, wrong } from '../json/checks.ts'
import { textOf } from '../json/lenient-json.ts'
import { readRequest } from '../openai-videos/read-request.ts'
import { videoClient } from '../videos/index.ts'
import type { VideoRequest } from '../videos/request.ts'

const seconds: Record<string, number> = { 121: 5, 241: 10 }

/** Names of the maker's own for one model with and without pictures. */
const isFamily = /^jimeng_(?:t2v|i2v_first|i2v_first_tail)_v30/

export function readJimengRequest({
  req_key,
  frames,
  image_urls,
  binary_data_base64,
  ...rest
}: Json): VideoRequest | Flaw {
  const [image, last_frame, ...others] = [image_urls ?? binary_data_base64 ?? []].flat()
  if (others.length) return wrong('image_urls')
  const duration = isAbsent(frames) ? undefined : seconds[String(frames)]
  if (!isAbsent(frames) && !duration) return wrong('frames')
  return readRequest({ ...rest, model: modelOf(textOf(req_key)), duration, image, last_frame })
}

function modelOf(req_key: string): string {
  if (req_key === 'jimeng_ti2v_v30_pro') return 'jimeng_v30_pro'
  return isFamily.test(req_key) ? 'jimeng_v30' : req_key
}

/** Codes of the maker, by HTTP status. */
const codes: Record<number, number> = { 401: 50_400, 403: 50_400, 429: 50_429 }
const [INVALID, FAILED] = [50_200, 50_500]

const writeError = ({ status, message, request_id }: ApiError): Json => ({
  code: codes[status] ?? (status < 500 ? INVALID : FAILED),
  message,
  request_id: request_id ?? '',
  data: null,
})

export const jimengVideos = videoClient('jimeng-videos', { readRequest: readJimengRequest, writeError })
