/**
 * Reads the response body of POST /v1/chat/completions into a ChatResponse.
 * https://platform.openai.com/docs/api-reference/chat (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import type {
  Alternative,
  AudioPart,
  ChatChoice,
  ChatResponse,
  ImagePart,
  ResponsePart,
  TextPart,
  ThinkingPart,
  TokenLogprob,
  ToolCall,
} from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { numberOf, objectOf, objectsOf, textOf } from '../json/lenient-json.ts'
import { sourceOf } from '../media/data-url.ts'
import { readAnnotations } from './citations.ts'
import { generationError, readFinish } from './finish-reason.ts'
import { readCallSignature } from './read-messages.ts'
import { readReasoningDetails } from './reasoning-details.ts'
import { readUsage } from './usage.ts'
import type { OpenAiAlternative, OpenAiLogprob } from './wire.ts'

export function readResponse(body: unknown): ChatResponse | undefined {
  if (!isObject(body) || !Array.isArray(body.choices)) return undefined
  if (objectsOf(body.choices).some(({ finish_reason }) => generationError(finish_reason))) return undefined
  const doubts: string[] = []
  return {
    id: textOf(body.id),
    model: textOf(body.model),
    created: numberOf(body.created),
    // Read on first use: a response that passes through unchanged needs only its usage.
    get choices() {
      const value = objectsOf(body.choices).map(readChoice)
      Object.defineProperty(this, 'choices', { value })
      return value
    },
    usage: readUsage(body.usage, doubts, body.service_tier),
    doubts,
  }
}

function readChoice({ message, finish_reason, logprobs }: Json): ChatChoice {
  const parts = readMessage(objectOf(message))
  const hasCalls = parts.some(part => part.kind === 'tool_call')
  return { parts, finish: readFinish(finish_reason, hasCalls), logprobs: readLogprobs(logprobs) }
}

function readMessage(message: Json): ResponsePart[] {
  const refusal = textOf(message.refusal)
  const thinking = readThinking(message)
  return [
    ...thinking,
    ...readContent(message, thinking.length > 0),
    ...(refusal ? [{ kind: 'refusal', text: refusal } as const] : []),
    ...readAudio(message.audio),
    ...objectsOf(message.images).flatMap(readImage),
    ...readCalls(message),
  ]
}

function readThinking(message: Json): ThinkingPart[] {
  const details = readReasoningDetails(message.reasoning_details)
  if (details.length) return details
  const text = textOf(message.reasoning_content) || textOf(message.reasoning)
  return text ? [{ kind: 'thinking', text }] : []
}

/** The content is a string, or a list of text and thinking chunks as Mistral writes it. */
function readContent({ content, annotations }: Json, hasThinking: boolean): (TextPart | ThinkingPart)[] {
  const text = contentText(content)
  const thinking = hasThinking ? '' : thinkingOf(content)
  const citations = readAnnotations(annotations)
  return [
    ...(thinking ? [{ kind: 'thinking', text: thinking } as const] : []),
    ...(text ? [{ kind: 'text', text, ...(citations.length && { citations }) } as const] : []),
  ]
}

export const contentText = (content: unknown): string =>
  Array.isArray(content)
    ? objectsOf(content)
        .map(part => textOf(part.text))
        .join('')
    : textOf(content)

export const thinkingOf = (content: unknown): string =>
  objectsOf(content)
    .flatMap(part => objectsOf(part.thinking))
    .map(piece => textOf(piece.text))
    .join('')

function readAudio(audio: unknown): AudioPart[] {
  if (!isObject(audio)) return []
  const source = { via: 'base64', media_type: AUDIO_TYPE, data: textOf(audio.data) } as const
  return [{ kind: 'audio', source, transcript: textOf(audio.transcript) || undefined }]
}

/** Media type of response audio. The response does not repeat the format that the request names. */
export const AUDIO_TYPE = 'audio/wav'

export function readImage(image: Json): ImagePart[] {
  const url = textOf(objectOf(image.image_url).url)
  return url ? [{ kind: 'image', source: sourceOf(url) }] : []
}

function readCalls({ tool_calls, function_call }: Json): ToolCall[] {
  const legacy: Json[] = isObject(function_call) ? [{ function: function_call }] : []
  return [...objectsOf(tool_calls), ...legacy].map(call => {
    const { name, arguments: value } = objectOf(call.function)
    const signature = readCallSignature(call)
    return { kind: 'tool_call', id: textOf(call.id), name: textOf(name), arguments: argumentsText(value), signature }
  })
}

/** Some servers send the arguments as an object. */
export const argumentsText = (value: unknown): string => (isObject(value) ? JSON.stringify(value) : textOf(value))

export function readLogprobs(logprobs: unknown): TokenLogprob[] | undefined {
  const tokens = objectsOf(objectOf(logprobs).content)
  if (!tokens.length) return undefined
  return tokens.map(token => ({
    ...readAlternative(token),
    alternatives: objectsOf(token.top_logprobs).map(readAlternative),
  }))
}

const readAlternative = ({ token, logprob, bytes }: Json): Alternative => ({
  token: textOf(token),
  logprob: numberOf(logprob) ?? 0,
  bytes: Array.isArray(bytes) ? (bytes as number[]) : null,
})

export const writeLogprob = ({ token, logprob, bytes = null, alternatives }: TokenLogprob): OpenAiLogprob => ({
  token,
  logprob,
  bytes,
  top_logprobs: alternatives.map(({ token, logprob, bytes = null }): OpenAiAlternative => ({ token, logprob, bytes })),
})
