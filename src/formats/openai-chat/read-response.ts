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
import { brokenOff, readFinish } from './finish.ts'
import { readCallSignature } from './read-messages.ts'
import { readReasoningDetails } from './reasoning-details.ts'
import { readUsage } from './usage.ts'

export function readResponse(body: unknown): ChatResponse | undefined {
  if (!isObject(body) || !Array.isArray(body.choices)) return undefined
  if (objectsOf(body.choices).some(({ finish_reason }) => brokenOff(finish_reason))) return undefined
  const doubts: string[] = []
  return {
    id: textOf(body.id),
    model: textOf(body.model),
    created: numberOf(body.created),
    choices: objectsOf(body.choices).map(readChoice),
    usage: readUsage(body.usage, doubts),
    doubts,
  }
}

function readChoice({ message, finish_reason, logprobs }: Json): ChatChoice {
  const parts = readMessage(objectOf(message))
  const called = parts.some(part => part.kind === 'tool_call')
  return { parts, finish: readFinish(finish_reason, called), logprobs: readLogprobs(logprobs) }
}

function readMessage(message: Json): ResponsePart[] {
  const refusal = textOf(message.refusal)
  const thoughts = readThoughts(message)
  return [
    ...thoughts,
    ...readContent(message, thoughts.length > 0),
    ...(refusal ? [{ kind: 'refusal', text: refusal } as const] : []),
    ...readAudio(message.audio),
    ...objectsOf(message.images).flatMap(readImage),
    ...readCalls(message),
  ]
}

function readThoughts(message: Json): ThinkingPart[] {
  const details = readReasoningDetails(message.reasoning_details)
  if (details.length) return details
  const text = textOf(message.reasoning_content) || textOf(message.reasoning)
  return text ? [{ kind: 'thinking', text }] : []
}

/** One text; or a list in which thoughts may stand too. */
function readContent({ content, annotations }: Json, thoughtsAreKnown: boolean): (TextPart | ThinkingPart)[] {
  const text = Array.isArray(content)
    ? objectsOf(content)
        .map(part => textOf(part.text))
        .join('')
    : textOf(content)
  const thought = thoughtsAreKnown ? '' : thoughtIn(content)
  const citations = readAnnotations(annotations)
  return [
    ...(thought ? [{ kind: 'thinking', text: thought } as const] : []),
    ...(text ? [{ kind: 'text', text, ...(citations.length && { citations }) } as const] : []),
  ]
}

export const thoughtIn = (content: unknown): string =>
  objectsOf(content)
    .flatMap(part => objectsOf(part.thinking))
    .map(piece => textOf(piece.text))
    .join('')

function readAudio(audio: unknown): AudioPart[] {
  if (!isObject(audio)) return []
  const source = { via: 'base64', media_type: AUDIO, data: textOf(audio.data) } as const
  return [{ kind: 'audio', source, transcript: textOf(audio.transcript) || undefined }]
}

/** The format was the caller's wish, and is not repeated in the answer. */
export const AUDIO = 'audio/wav'

export function readImage(image: Json): ImagePart[] {
  const url = textOf(objectOf(image.image_url).url)
  return url ? [{ kind: 'image', source: sourceOf(url) }] : []
}

function readCalls({ tool_calls, function_call }: Json): ToolCall[] {
  const old: Json[] = isObject(function_call) ? [{ function: function_call }] : []
  return [...objectsOf(tool_calls), ...old].map(call => {
    const { name, arguments: given } = objectOf(call.function)
    const text = isObject(given) ? JSON.stringify(given) : textOf(given)
    return {
      kind: 'tool_call',
      id: textOf(call.id),
      name: textOf(name),
      arguments: text,
      signature: readCallSignature(call),
    }
  })
}

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

export const writeLogprob = ({ token, logprob, bytes = null, alternatives }: TokenLogprob): Json => ({
  token,
  logprob,
  bytes,
  top_logprobs: alternatives.map(({ token, logprob, bytes = null }) => ({ token, logprob, bytes })),
})
