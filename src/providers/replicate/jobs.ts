/**
 * Requests beside a prediction: files before it, polls until its end, downloads of its pictures.
 * https://replicate.com/docs/topics/predictions/lifecycle and https://replicate.com/docs/topics/predictions/input-files
 * (read 2026-11)
 */
import { isObject } from '../../formats/json/checks.ts'
import { objectOf } from '../../formats/json/lenient-json.ts'
import type { Json } from '../../pure/json.ts'
import { listOf } from '../kit/embeddings.ts'
import type { Steps } from '../kit/steps.ts'
import { fieldOf } from '../kit/upstream-query.ts'

const POLL_FIRST_MS = 500
const POLL_MAX_MS = 3000
/** Polls in a row that give no prediction. */
const POLL_FAILURES_MAX = 3

const isRunning = ({ status }: Json) => status === 'starting' || status === 'processing' || status === 'queued'

/** Asks at the channel's own address, whichever one the prediction names. @returns a failed prediction when it is lost */
export function* endOf(body: unknown, root: string): Steps<unknown> {
  if (!isObject(body) || !isRunning(body)) return body
  const { id } = body
  if (typeof id !== 'string' || !id) return lost('The upstream named no prediction')
  let wait_ms = POLL_FIRST_MS
  for (let failures = 0; failures < POLL_FAILURES_MAX; ) {
    const response = yield { url: `${root}/predictions/${encodeURIComponent(id)}`, wait_ms }
    wait_ms = Math.min(POLL_MAX_MS, wait_ms * 1.5)
    const prediction = response.status < 400 ? objectOf(response.body) : {}
    if (typeof prediction.status !== 'string') {
      if (response.status === 404) return lost('The upstream does not know its prediction')
      failures++
      continue
    }
    if (!isRunning(prediction)) return prediction
    failures = 0
  }
  return lost('The upstream tells nothing of its prediction')
}

const lost = (error: string): Json => ({ status: 'failed', error })

/** Bytes of a file that stays in the request. */
const INLINE_BYTES_MAX = 262_144
const BASE64_BYTES = 3 / 4

/** Every input that is a larger data URL, or a list with one, is uploaded. */
export function* uploadFiles(body: Json, root: string): Steps<Json> {
  const input: Json = { ...objectOf(body.input) }
  for (const [name, value] of Object.entries(input)) {
    if (!listOf(value).some(isLarge)) continue
    const urls: unknown[] = []
    for (const item of listOf(value)) urls.push(isLarge(item) ? yield* uploaded(item, root) : item)
    input[name] = Array.isArray(value) ? urls : urls[0]
  }
  return { ...body, input }
}

const isLarge = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith('data:') && value.length * BASE64_BYTES > INLINE_BYTES_MAX

/** @returns the data URL itself when it is not taken: the prediction says what is wrong with it */
function* uploaded(dataUrl: string, root: string): Steps<string> {
  const [, type = '', data = ''] = /^data:([^;,]*)[^,]*,(.*)$/s.exec(dataUrl) ?? []
  const form = new FormData()
  const file = new Blob([new Uint8Array(Buffer.from(data, 'base64'))], { type: type || 'application/octet-stream' })
  form.append('content', file, `file.${type.split('/')[1] ?? 'bin'}`)
  const { body } = yield { url: `${root}/files`, body: form }
  const url = fieldOf(body, 'urls.get')
  return typeof url === 'string' ? url : dataUrl
}

/** The pictures of a prediction as base64. One that cannot be fetched is missing, and not billed. */
export function* withDownloads(prediction: unknown): Steps<unknown> {
  if (!isObject(prediction) || prediction.status !== 'succeeded') return prediction
  const files: string[] = []
  for (const url of listOf(prediction.output ?? [])) {
    if (typeof url !== 'string') continue
    if (url.startsWith('data:')) files.push(url.slice(url.indexOf(',') + 1))
    else {
      const { status, bytes } = yield { url }
      if (status === 200 && bytes.length) files.push(Buffer.from(bytes).toString('base64'))
    }
  }
  return { ...prediction, files }
}
