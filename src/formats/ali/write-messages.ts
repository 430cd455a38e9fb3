/**
 * Writes canonical messages as `input.messages`. Multimodal models have a list of parts as content, others a text.
 * https://help.aliyun.com/zh/model-studio/qwen-api-reference (read 2026-11)
 */
import { PLACEHOLDER } from '../canonical/alternating.ts'
import type { ChatMessage, ChatRequest, FilePart, Part, ToolCall, ToolResult } from '../canonical/chat.ts'
import { urlOf } from '../media/data-url.ts'
import { plainText } from '../media/plain-text.ts'
import { joinedText, writeCall } from '../openai-chat/write-messages.ts'
import type { GenerationMessage, GenerationPart } from './wire.ts'

/** @param system joined instructions; empty for none */
export function writeMessages({ messages }: ChatRequest, system: string, is_multimodal: boolean): GenerationMessage[] {
  const conversation = messages.filter(({ role }) => role !== 'system')
  const written = conversation.flatMap(message =>
    message.role === 'user' ? writeUser(message) : writeAssistant(message),
  )
  const spoken: PartsMessage[] = written.length ? written : [{ role: 'user', content: [{ text: PLACEHOLDER }] }]
  const all: PartsMessage[] = system ? [{ role: 'system', content: [{ text: system }] }, ...spoken] : spoken
  return all.map((message): GenerationMessage => ({ ...message, content: contentOf(message.content, is_multimodal) }))
}

/** Texts alone are one text, unless the model takes parts. Parts that only others take are sent: the model refuses them. */
function contentOf(parts: GenerationPart[], is_multimodal: boolean): GenerationMessage['content'] {
  const isText = parts.every(part => 'text' in part)
  if (is_multimodal || !isText) return parts
  return parts.map(({ text }) => text).join('\n')
}

type PartsMessage = GenerationMessage & { content: GenerationPart[] }

/** Tool results come first; what they hold beside texts follows as the user's. */
function writeUser({ parts }: ChatMessage): PartsMessage[] {
  const results = parts.filter((part): part is ToolResult => part.kind === 'tool_result')
  const attachments = results.flatMap(result => result.parts.filter(part => part.kind !== 'text'))
  const content = [...attachments, ...parts].flatMap(writePart)
  const written = results.map(writeResult)
  return content.length || !written.length ? [...written, { role: 'user', content }] : written
}

const writeResult = ({ id, parts }: ToolResult): PartsMessage => ({
  role: 'tool',
  content: [{ text: joinedText(parts) }],
  tool_call_id: id,
})

/** An assistant that says nothing is left out. */
function writeAssistant({ parts }: ChatMessage): PartsMessage[] {
  const calls = parts.filter((part): part is ToolCall => part.kind === 'tool_call').map(writeCall)
  const content = parts.flatMap(writePart)
  if (!content.length && !calls.length) return []
  return [{ role: 'assistant', content, tool_calls: calls.length ? calls : undefined }]
}

function writePart(part: Part): GenerationPart[] {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text ? [{ text: part.text }] : []
    case 'image':
      return [{ image: urlOf(part.source) }]
    case 'audio':
      return [{ audio: urlOf(part.source) }]
    case 'file':
      return writeFile(part)
    case 'thinking':
    case 'tool_call':
    case 'tool_result':
    case 'native':
      return []
  }
}

function writeFile({ source, name, context }: FilePart): GenerationPart[] {
  const about = context ? [{ text: context }] : []
  const text = plainText(source)
  if (text !== undefined) return [...about, { text: name ? `${name}\n\n${text}` : text }]
  const media_type = 'media_type' in source ? source.media_type : undefined
  return [...about, media_type?.startsWith('video/') ? { video: urlOf(source) } : { file: urlOf(source) }]
}
