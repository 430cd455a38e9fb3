/**
 * Writes a ChatResponse as the response body of POST /v1/chat/completions.
 * https://platform.openai.com/docs/api-reference/chat (read 2026-11)
 */
import type {
  AudioPart,
  ChatChoice,
  ChatResponse,
  ImagePart,
  ResponsePart,
  TextPart,
  ThinkingPart,
  ToolCall,
} from '../canonical/chat.ts'
import { partId, responseId } from '../canonical/ids.ts'
import type { ResponseLabel } from '../format.ts'
import { objectOf } from '../json/lenient-json.ts'
import { dataOf, urlOf } from '../media/data-url.ts'
import { playable } from '../media/wav.ts'
import { writeAnnotation } from './citations.ts'
import { writeFinish } from './finish-reason.ts'
import { writeLogprob } from './read-response.ts'
import { writeReasoningDetails } from './reasoning-details.ts'
import { writeUsage } from './usage.ts'
import type { OpenAiAnswer, OpenAiCall, OpenAiChatResponse, OpenAiChoice, OpenAiImage } from './wire.ts'
import { thinkingText, writeCall } from './write-messages.ts'

export const writeResponse = (response: ChatResponse, label: ResponseLabel): OpenAiChatResponse => ({
  id: responseId('chatcmpl-', response.id, label),
  object: 'chat.completion',
  created: response.created ?? label.created,
  model: label.request.model,
  choices: response.choices.map((choice, index) => writeChoice(choice, index, label)),
  usage: response.usage && writeUsage(response.usage),
})

const writeChoice = ({ parts, finish, logprobs }: ChatChoice, index: number, label: ResponseLabel): OpenAiChoice => ({
  index,
  message: writeMessage(parts, label),
  logprobs: logprobs ? { content: logprobs.map(writeLogprob), refusal: null } : null,
  finish_reason: writeFinish(finish),
})

function writeMessage(parts: ResponsePart[], label: ResponseLabel): OpenAiAnswer {
  const of = <K extends ResponsePart['kind']>(kind: K) =>
    parts.filter((part): part is Extract<ResponsePart, { kind: K }> => part.kind === kind)
  const texts = of('text')
  const refusals = of('refusal')
  const calls = of('tool_call')
  return {
    role: 'assistant',
    content: texts.length ? texts.map(({ text }) => text).join('') : null,
    refusal: refusals.length ? refusals.map(({ text }) => text).join('') : null,
    ...writeThinking(of('thinking'), texts),
    ...writeAnnotations(texts),
    ...writeAudio(of('audio')[0], label),
    ...writeImages(of('image')),
    tool_calls: calls.length ? nameCalls(calls, label).map(writeAnyCall) : undefined,
  }
}

/** A tool call of the kind that the request declares: function or custom. */
export const writeAnyCall = (call: ToolCall): OpenAiCall =>
  call.custom ? { id: call.id, type: 'custom', custom: { name: call.name, input: call.arguments } } : writeCall(call)

const nameCalls = (calls: ToolCall[], label: ResponseLabel) =>
  calls.map((call, index) => (call.id ? call : { ...call, id: partId('call_', label, index) }))

function writeThinking(thinking: ThinkingPart[], texts: TextPart[]): Partial<OpenAiAnswer> {
  const reasoning_details = writeReasoningDetails([...thinking, ...texts.flatMap(signatureOf)])
  return { reasoning_content: thinking.length ? thinkingText(thinking) : undefined, reasoning_details }
}

/**
 * A content has no signature. Gemini's signature of a text travels among those of the thoughts, which clients send back
 * before the content.
 */
export const signatureOf = ({ text, signature }: TextPart): ThinkingPart[] =>
  signature && text.trim() ? [{ kind: 'thinking', text: '', signature }] : []

function writeAnnotations(texts: TextPart[]): Pick<OpenAiAnswer, 'annotations'> {
  let offset = 0
  const annotations = texts.flatMap(({ text, citations = [] }) => {
    const entries = citations.flatMap(citation => writeAnnotation(citation, text, offset))
    offset += text.length
    return entries
  })
  return annotations.length ? { annotations } : {}
}

function writeAudio(audio: AudioPart | undefined, label: ResponseLabel): Pick<OpenAiAnswer, 'audio'> {
  const bytes = audio && dataOf(audio.source)
  if (!bytes) return {}
  const { created, request } = label
  const id = partId('audio_', label, 0)
  const { format } = objectOf(request.extra['openai-chat']?.audio)
  const data = format === 'pcm16' ? bytes.data : playable(bytes)
  return { audio: { id, data, transcript: audio.transcript ?? '', expires_at: created + AUDIO_SECONDS } }
}

/** Seconds until OpenAI deletes response audio. */
export const AUDIO_SECONDS = 3600

/**
 * `images` is no OpenAI field but that of compatible servers with image models.
 * https://openrouter.ai/docs/features/multimodal/image-generation (read 2026-11)
 */
export function writeImages(images: ImagePart[]): Pick<OpenAiAnswer, 'images'> {
  const urls = images.flatMap(({ source }) => urlOf(source) ?? [])
  return urls.length ? { images: urls.map((url): OpenAiImage => ({ type: 'image_url', image_url: { url } })) } : {}
}
