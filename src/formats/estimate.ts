/** Estimates the tokens of a prompt, for reservations and for clients that ask before a call. */

import { type ImageSize, imageTokens, LARGE_SIZE } from '../models/image-tokens.ts'
import { mediaTokensOf } from '../models/media-tokens.ts'
import { estimateTexts, estimateTokens } from '../pure/estimate-tokens.ts'
import type { Json } from '../pure/json.ts'
import type { AudioPart, ChatRequest, FilePart, ImagePart, Part } from './canonical/chat.ts'
import type { Countable } from './format.ts'
import { everyText, PER_OBJECT } from './json/every-text.ts'
import { mediaIn } from './json/texts.ts'
import { imageSizeOf } from './media/image-size.ts'
import { pagesOf } from './media/pdf-pages.ts'

const AT_THE_END = 3

/** What counts of a prompt that has nothing but a text in each message. */
export const plainPrompt = (texts: string[]): Countable => ({
  texts,
  tokens: AT_THE_END + texts.length * PER_OBJECT,
})

/** The same for any request: every text of its body, and the media that its canonical form has. */
export function wholePrompt(body: Json, request: ChatRequest): Countable {
  const { texts, tokens } = everyText(body)
  const media = request.messages.reduce((sum, { parts }) => sum + mediaTokensIn(parts, request.model), 0)
  return { texts, tokens: AT_THE_END + tokens + media }
}

/** The same for a request that the canonical form does not know: its texts, pages and images. */
export function unreadPrompt(body: Json): Countable {
  const model = String(body.model)
  const { page } = mediaTokensOf(model)
  const { texts, tokens } = everyText(body)
  const media = mediaIn(body)
    .map(media => media.slice(media.startsWith('data:') ? media.indexOf(',') + 1 : 0))
    .map(media => (media.startsWith(PDF_BASE64) ? pagesOf(media) * page : imageTokens(model, LARGE_SIZE)))
  return { texts, tokens: media.reduce((sum, tokens) => sum + tokens, AT_THE_END + tokens) }
}

export const estimateOf = ({ texts, tokens }: Countable): number => tokens + estimateTexts(texts)

const mediaTokensIn = (parts: Part[], model: string): number =>
  parts.reduce((sum, part) => sum + partTokens(part, model), 0)

function partTokens(part: Part, model: string): number {
  switch (part.kind) {
    case 'image':
      return imageTokens(model, sizeOf(part) ?? LARGE_SIZE, part.detail)
    case 'audio':
    case 'file':
      return part.source.via === 'text' ? 0 : mediaTokens(part, model)
    case 'tool_result':
      return mediaTokensIn(part.parts, model)
    default:
      return 0
  }
}

/** `%PDF` */
const PDF_BASE64 = 'JVBER'

/** @returns undefined when only the upstream can know it */
export const sizeOf = ({ source }: ImagePart): ImageSize | undefined =>
  source.via === 'base64' ? imageSizeOf(source.data) : undefined

const SAMPLE_BYTES_PER_SECOND = 48_000
const AUDIO_BYTES_PER_SECOND = 8000
const VIDEO_BYTES_PER_SECOND = 50_000
/** A recording or video at a URL, of unknown length. */
const UNKNOWN_SECONDS = 300
/** A document at a URL or under a file id. */
const UNKNOWN_PAGES = 20
const BYTES_PER_TOKEN = 3

/** Tokens of a recording by its seconds, or of a file by its pages. */
export function mediaTokens({ kind, source }: AudioPart | FilePart, model: string): number {
  const { page, second_of_audio, second_of_video } = mediaTokensOf(model)
  if (source.via === 'text') return estimateTokens(source.text)
  const media_type = 'media_type' in source ? (source.media_type ?? '') : ''
  const bytes = source.via === 'base64' ? (source.data.length * 3) / 4 : undefined
  const secondsAt = (rate: number) => (bytes === undefined ? UNKNOWN_SECONDS : bytes / rate)
  if (kind === 'audio' || media_type.startsWith('audio/')) {
    const rate = source.via === 'base64' ? rateOf(media_type, source.data) : AUDIO_BYTES_PER_SECOND
    return 1 + Math.ceil(secondsAt(rate) * second_of_audio)
  }
  if (media_type.startsWith('video/')) return 1 + Math.ceil(secondsAt(VIDEO_BYTES_PER_SECOND) * second_of_video)
  if (source.via !== 'base64') return UNKNOWN_PAGES * page
  if (/^text\/|json|xml/.test(media_type)) return Math.ceil(bytes! / BYTES_PER_TOKEN)
  return pagesOf(source.data) * page
}

/** Bytes of a second: a WAV file states them, raw samples have the usual rate. */
function rateOf(media_type: string, data: string): number {
  const header = Buffer.from(data.slice(0, 44), 'base64')
  if (header.toString('latin1', 0, 4) === 'RIFF' && header.length >= 32)
    return header.readUInt32LE(28) || AUDIO_BYTES_PER_SECOND
  return /pcm|l16/i.test(media_type) ? SAMPLE_BYTES_PER_SECOND : AUDIO_BYTES_PER_SECOND
}

/** @returns the prompt as text, for logs */
export const promptText = ({ system, messages }: ChatRequest): string =>
  [
    ...system.map(({ text }) => `system: ${text}`),
    ...messages.map(({ role, parts }) => `${role}: ${wordsOf(parts)}`),
  ].join('\n')

export const wordsOf = (parts: Part[]): string => parts.map(wordsIn).join(' ')

function wordsIn(part: Part): string {
  if (part.kind === 'tool_call') return `[${part.name}(${part.arguments})]`
  if (part.kind === 'tool_result') return wordsOf(part.parts)
  return 'text' in part && part.text ? part.text : `[${part.kind}]`
}
