/** Writes canonical messages as `messages`. https://platform.openai.com/docs/api-reference/chat (read 2026-11) */
import { traitsOf } from '../../models/traits.ts'
import type {
  AudioPart,
  ChatMessage,
  ChatRequest,
  FilePart,
  ImagePart,
  Part,
  TextPart,
  ThinkingPart,
  ToolCall,
  ToolResult,
} from '../canonical/chat.ts'
import { dataOf, urlOf } from '../media/data-url.ts'
import { plainText } from '../media/plain-text.ts'
import { callIdFor, fileFields } from '../openai-shared.ts'
import { writeReasoningDetails } from './reasoning-details.ts'
import type { OpenAiFunctionCall, OpenAiMessage, OpenAiPart, OpenAiRecording } from './wire.ts'

export function writeMessages({ messages, model }: ChatRequest): OpenAiMessage[] {
  const loop = traitsOf(model, 'openai').is_own ? messages.length : openToolLoop(messages)
  return messages.flatMap((message, index) => writeMessage(message, index >= loop))
}

/**
 * Index of the first message after the last user message that is no tool result: there an unfinished tool loop begins.
 */
function openToolLoop(messages: ChatMessage[]): number {
  const isPrompt = ({ role, parts }: ChatMessage) => role === 'user' && parts.some(part => part.kind !== 'tool_result')
  return messages.findLastIndex(isPrompt) + 1
}

function writeMessage(message: ChatMessage, isOpen: boolean): OpenAiMessage[] {
  const { role, parts, name } = message
  switch (role) {
    case 'system':
      return [{ role, content: joinedText(parts), name }]
    case 'assistant':
      return writeAssistant(message, isOpen)
    case 'user':
      return writeUser(message)
  }
}

/**
 * Tool results come first, as the message after tool calls must have them. A result holds only text, so its images
 * follow as user content.
 */
function writeUser({ parts, name }: ChatMessage): OpenAiMessage[] {
  const results = parts.filter((part): part is ToolResult => part.kind === 'tool_result')
  const attachments = results.flatMap(result => result.parts.filter(part => part.kind !== 'text'))
  const content = [...attachments, ...parts].flatMap(writeContentPart)
  if (!content.length && results.length) return results.map(writeResult)
  return [...results.map(writeResult), { role: 'user', content: contentOf(content), name }]
}

const writeResult = ({ id, parts }: ToolResult): OpenAiMessage => ({
  role: 'tool',
  tool_call_id: callIdFor(id),
  content: joinedText(parts),
})

/** A single text becomes a string. */
function contentOf(parts: OpenAiPart[]): OpenAiMessage['content'] {
  const [only] = parts
  if (!only) return ''
  return parts.length === 1 && only.type === 'text' ? only.text : parts
}

/** An assistant that says nothing is left out, even if it thought. */
function writeAssistant({ parts, name }: ChatMessage, isOpen: boolean): OpenAiMessage[] {
  const calls = parts.filter((part): part is ToolCall => part.kind === 'tool_call')
  const refusals = parts.flatMap(part => (part.kind === 'refusal' ? part.text : []))
  const texts = parts.filter(part => part.kind === 'text').flatMap(writeContentPart)
  const audio = parts.find(part => part.kind === 'native' && part.format === 'openai-chat')
  const thoughts = isOpen ? parts.filter((part): part is ThinkingPart => part.kind === 'thinking') : []
  if (!texts.length && !calls.length && !refusals.length && !audio) return []
  return [
    {
      role: 'assistant',
      content: texts.length ? contentOf(texts) : calls.length || refusals.length ? null : '',
      name,
      ...writeThinking(thoughts),
      refusal: refusals.length ? refusals.join('') : undefined,
      ...(audio?.kind === 'native' ? (audio.value as Pick<OpenAiMessage, 'audio'>) : undefined),
      tool_calls: calls.length ? calls.map(writeCall) : undefined,
    },
  ]
}

/** Compatible servers differ in the thinking that they accept back; all accept it inside an unfinished tool loop. */
function writeThinking(thinking: ThinkingPart[]): Pick<OpenAiMessage, 'reasoning_content' | 'reasoning_details'> {
  const text = thinkingText(thinking)
  return { reasoning_content: text || undefined, reasoning_details: writeReasoningDetails(thinking) }
}

/** The visible thinking text; redacted thinking has none. */
export const thinkingText = (thinking: ThinkingPart[]): string =>
  thinking
    .map(({ text }) => text)
    .filter(Boolean)
    .join('\n\n')

export const writeCall = ({ id, name, arguments: text, signature }: ToolCall): OpenAiFunctionCall => ({
  id: callIdFor(id),
  type: 'function',
  function: { name, arguments: text || '{}' },
  extra_content: signature?.owner === 'gemini' ? { google: { thought_signature: signature.value } } : undefined,
})

function writeContentPart(part: Part): OpenAiPart[] {
  switch (part.kind) {
    case 'text':
      return part.text ? [writeText(part)] : []
    case 'image':
      return writeImage(part)
    case 'audio':
      return writeAudio(part)
    case 'file':
      return writeFile(part)
    case 'refusal':
    case 'thinking':
    case 'tool_call':
    case 'tool_result':
    case 'native':
      return []
  }
}

const writeText = ({ text }: TextPart): OpenAiPart => ({ type: 'text', text })

function writeImage({ source, detail }: ImagePart): OpenAiPart[] {
  const url = urlOf(source)
  return url === undefined
    ? []
    : [{ type: 'image_url', image_url: { url, detail: detail === 'original' ? 'high' : detail } }]
}

export function writeAudio({ source }: AudioPart): OpenAiRecording[] {
  const audio = dataOf(source)
  if (!audio) return []
  const format = audio.media_type.replace(/^audio\/(?:x-)?/, '').replace('mpeg', 'mp3')
  return [{ type: 'input_audio', input_audio: { data: audio.data, format } }]
}

/** Text files become text, videos the `video_url` part of compatible servers. File URLs have no place in the format. */
function writeFile({ source, name, context }: FilePart): OpenAiPart[] {
  const about = context ? [writeText({ kind: 'text', text: context })] : []
  const text = plainText(source)
  if (text !== undefined) return [...about, writeText({ kind: 'text', text: name ? `${name}\n\n${text}` : text })]
  const media_type = source.via === 'base64' || source.via === 'url' ? source.media_type : undefined
  if (media_type?.startsWith('video/')) return [...about, { type: 'video_url', video_url: { url: urlOf(source) } }]
  return source.via === 'url' ? about : [...about, { type: 'file', file: fileFields(source, name) }]
}

/** The text parts, one on each line. */
export const joinedText = (parts: Part[]): string =>
  parts.flatMap(part => (part.kind === 'text' ? part.text : [])).join('\n')
