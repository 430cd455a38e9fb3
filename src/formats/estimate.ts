/** Estimates the tokens of a prompt, for reservations and for clients that ask before a call. */

import { type ImageSize, imageTokens, LARGE_SIZE } from '../models/image-tokens.ts'
import { mediaTokensOf } from '../models/media-tokens.ts'
import { estimateTokens } from '../pure/estimate-tokens.ts'
import type { Json } from '../pure/json.ts'
import type { AudioPart, ChatRequest, FilePart, ImagePart, Part } from './canonical/chat.ts'
import { mediaIn, textsIn } from './json/texts.ts'
import { imageSizeOf } from './media/image-size.ts'
import { pagesOf } from './media/pdf-pages.ts'

const PER_MESSAGE = 3
const AT_THE_END = 3
const PER_TOOL = 8

export function estimate({ model, system, messages, tools }: ChatRequest): number {
  let tokens = AT_THE_END + (system.length ? PER_MESSAGE : 0)
  for (const { text } of system) tokens += estimateTokens(text)
  for (const { name = '', parts } of messages) tokens += PER_MESSAGE + estimateTokens(name) + tokensOf(parts, model)
  for (const tool of tools) tokens += PER_TOOL + estimateTokens(JSON.stringify(tool))
  return tokens
}

/** The same for a request that has nothing but texts. */
export function estimateTexts(system: string[], messages: string[]): number {
  const tokens = AT_THE_END + (system.length ? PER_MESSAGE : 0) + messages.length * PER_MESSAGE
  return [...system, ...messages].reduce((sum, text) => sum + estimateTokens(text), tokens)
}

const tokensOf = (parts: Part[], model: string): number => parts.reduce((sum, part) => sum + partTokens(part, model), 0)

function partTokens(part: Part, model: string): number {
  switch (part.kind) {
    case 'text':
    case 'refusal':
    case 'thinking':
      return estimateTokens(part.text)
    case 'image':
      return imageTokens(model, sizeOf(part) ?? LARGE_SIZE, part.detail)
    case 'audio':
    case 'file':
      return mediaTokens(part, model)
    case 'tool_call':
      return estimateTokens(part.name) + estimateTokens(part.arguments)
    case 'tool_result':
      return tokensOf(part.parts, model)
    case 'native':
      return estimateTokens(part.text ?? JSON.stringify(part.value))
  }
}

/** The same for a request that the canonical form does not know: its texts, pages and images. */
export function estimateUnread(body: Json, model: string): number {
  const { page } = mediaTokensOf(model)
  return mediaIn(body)
    .map(media => media.slice(media.startsWith('data:') ? media.indexOf(',') + 1 : 0))
    .map(media => (media.startsWith(PDF_BASE64) ? pagesOf(media) * page : imageTokens(model, LARGE_SIZE)))
    .reduce((sum, tokens) => sum + tokens, estimateTokens(textsIn(body).join('\n')))
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
