/**
 * Cloudflare's models at their own addresses: pictures, recordings, and texts that continue a prompt.
 * https://developers.cloudflare.com/workers-ai/models/ (read 2026-11)
 */
import { isObject } from '../../formats/json/checks.ts'
import { textOf } from '../../formats/json/lenient-json.ts'
import { now } from '../../process/clock.ts'
import type { Json } from '../../pure/json.ts'
import { listOf } from '../kit/embeddings.ts'
import { only, withMaxTokens } from '../kit/json-edits.ts'
import type { WrappedFile } from '../kit/quirks.ts'
import { fieldOf } from '../kit/upstream-query.ts'

/** Models without a chat template, which only their own addresses serve. */
export const runsCompletions = (model: unknown): boolean =>
  /(?:-base(?:-awq)?|-lora|\/phi-2|\/sqlcoder-[\w-]+)$/.test(String(model))

/** One prompt, whole: a list of one text is that text. */
export function writeCompletionRequest(body: Json): Json {
  const prompts = listOf(body.prompt)
  return {
    prompt: prompts.length === 1 ? prompts[0] : body.prompt,
    ...only(withMaxTokens(body), 'max_tokens', 'stream', 'temperature', 'raw', 'lora', 'seed', 'top_p', 'top_k'),
  }
}

/** `{ result: { response, usage } }`, in a stream `{ response, p, usage }`: `p` pads the event. */
export function readCompletion(body: Json): Json {
  const result = isObject(body.result) ? body.result : body
  if (typeof result.response !== 'string') return body
  const is_whole = result !== body
  return {
    id: 'cmpl-workers-ai',
    object: 'text_completion',
    created: now(),
    choices: [{ index: 0, text: result.response, logprobs: null, finish_reason: is_whole ? 'stop' : null }],
    ...only(result, 'usage'),
  }
}

const [SIDE_MIN, SIDE_MAX] = [256, 2048]

/** One picture per call. A size in pixels; models without one take no notice. */
export function writeImageRequest(body: Json): Json {
  const [, width, height] = /^(\d{3,4})x(\d{3,4})$/.exec(String(body.size)) ?? []
  const sides = [Number(width), Number(height)].map(side => Math.min(SIDE_MAX, Math.max(SIDE_MIN, side)))
  return {
    ...(width && { width: sides[0], height: sides[1] }),
    ...only(body, 'prompt', 'negative_prompt', 'num_steps', 'steps', 'guidance', 'seed', 'strength', 'width', 'height'),
  }
}

/** The picture and its mask as base64. */
export function writeImageEdit(body: Json): Json {
  const [image] = listOf(body.image ?? body['image[]'])
  return {
    ...writeImageRequest(body),
    image_b64: base64In(image),
    ...(body.mask !== undefined && { mask_b64: base64In(listOf(body.mask)[0]) }),
  }
}

const base64In = (url: unknown): string => textOf(url).replace(/^data:[^,]*,/, '')

export const wrapImage = (bytes: Uint8Array): Json => ({
  created: now(),
  data: [{ b64_json: Buffer.from(bytes).toString('base64') }],
})

/** `{ result: { image } }`, without the wrapping at some gateways. */
export function readImage(body: Json): Json {
  const image = fieldOf(body, 'result.image') ?? body.image
  return typeof image === 'string' ? { created: now(), data: [{ b64_json: image }] } : body
}

/** The turbo model takes JSON, the others the bytes of the file. */
export function writeRecording({ model, file, language, prompt, ...body }: Json): Json {
  if (!/whisper-large-v3-turbo$/.test(String(model))) return { file }
  return {
    audio: base64In(file),
    task: 'transcribe',
    ...(language !== undefined && { language }),
    ...(prompt !== undefined && { initial_prompt: prompt }),
    ...only(body, 'vad_filter', 'prefix'),
  }
}

export function onlyRecording({ file }: Json) {
  const [, type, data] = /^data:([^;,]*)[^,]*,(.*)$/s.exec(textOf(file)) ?? []
  if (data === undefined) return undefined
  return { type: type || 'application/octet-stream', bytes: new Uint8Array(Buffer.from(data, 'base64')) }
}

/** The cues beside a transcript, of which subtitles are written. */
export function readTranscript(body: Json, { response_format }: Json): Json {
  const { result } = body
  if (!isObject(result) || typeof result.text !== 'string') return body
  const { text, vtt, words, segments, transcription_info: info } = result
  const { duration, language } = isObject(info) ? info : {}
  const detailed = response_format === 'verbose_json' && {
    task: 'transcribe',
    ...(language !== undefined && { language }),
    ...(Array.isArray(words) && { words }),
    ...(Array.isArray(segments) && { segments }),
  }
  return { text, ...(Number(duration) > 0 && { duration }), ...detailed, ...(vtt !== undefined && { vtt }) }
}

/** A transcript as text or subtitles, for a request that names such a form. */
export function unwrapTranscript({ text, vtt, duration }: Json, { response_format }: Json): WrappedFile | undefined {
  const report = Number(duration) > 0 ? { type: 'duration', seconds: Number(duration) } : undefined
  const plain = (written: unknown): WrappedFile | undefined =>
    typeof written === 'string'
      ? { type: 'text/plain; charset=utf-8', bytes: new Uint8Array(Buffer.from(written)), report }
      : undefined
  if (response_format === 'text') return plain(text)
  return response_format === 'vtt' || response_format === 'srt' ? plain(vtt) : undefined
}
