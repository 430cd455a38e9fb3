/** Writes canonical messages as input items. https://platform.openai.com/docs/api-reference/responses (read 2026-11) */
import { PLACEHOLDER } from '../canonical/alternating.ts'
import type {
  ChatMessage,
  FilePart,
  ImagePart,
  Part,
  Source,
  ThinkingPart,
  ToolCall,
  ToolResult,
} from '../canonical/chat.ts'
import { urlOf } from '../media/data-url.ts'
import { plainText } from '../media/plain-text.ts'
import { joinedText, writeAudio } from '../openai-chat/write-messages.ts'
import { callIdFor, fileFields } from '../openai-shared.ts'
import { ownedBy } from '../translate/signature.ts'
import { writeAnnotation } from './citations.ts'
import type { ResponsesInput, ResponsesPart } from './wire.ts'

/** OpenAI refuses an empty input. */
export function writeItems(messages: ChatMessage[]): ResponsesInput[] {
  const items = withoutLooseReasoning(withReasoningIds(messages).flatMap(writeMessage))
  return items.length ? items : writeMessage({ role: 'user', parts: [{ kind: 'text', text: PLACEHOLDER }] })
}

/** Gives ids to reasoning that came through a format without them, or with others; ids must be unique. */
function withReasoningIds(messages: ChatMessage[]): ChatMessage[] {
  const used = new Set<string>()
  let count = 0
  const idFor = (id = ''): string => {
    let unique = id
    while (!unique.startsWith('rs_') || used.has(unique)) unique = `rs_${count++}`
    used.add(unique)
    return unique
  }
  const named = (part: Part): Part => (part.kind === 'thinking' ? { ...part, id: idFor(part.id) } : part)
  return messages.map(message => ({ ...message, parts: message.parts.map(named) }))
}

/**
 * OpenAI refuses reasoning without the item that it led to, such as that of a stream that was cut.
 * https://github.com/vercel/ai/issues/7099 (read 2026-11)
 */
function withoutLooseReasoning(items: ResponsesInput[]): ResponsesInput[] {
  let leads = false
  const kept = items.toReversed().filter(item => {
    if (item.type === 'reasoning') return leads
    leads = 'role' in item ? item.role === 'assistant' : !String(item.type).endsWith('_output')
    return true
  })
  return kept.reverse()
}

/** Text and media form messages; reasoning, tool calls and their results are items of their own. */
function writeMessage({ role, parts }: ChatMessage): ResponsesInput[] {
  const items: ResponsesInput[] = []
  let content: ResponsesPart[] = []
  const flush = () => {
    if (content.length) items.push({ type: 'message', role, content })
    content = []
  }
  for (const part of parts) {
    const written = writeContentPart(part, role)
    content.push(...written)
    if (written.length) continue
    const own = writeItem(part)
    if (own.length) flush()
    items.push(...own)
  }
  flush()
  return items
}

function writeItem(part: Part): ResponsesInput[] {
  switch (part.kind) {
    case 'thinking':
      return writeThinking(part)
    case 'tool_call':
      return [writeCall(part)]
    case 'tool_result':
      return [writeResult(part)]
    case 'native':
      return part.format === 'openai-responses' ? [part.value as ResponsesInput] : []
    default:
      return []
  }
}

/** OpenAI accepts only reasoning with its own encrypted content. */
function writeThinking({ text, signature, id }: ThinkingPart): ResponsesInput[] {
  const own = ownedBy('openai', signature)
  if (!own) return []
  return [
    { type: 'reasoning', id, summary: text ? [{ type: 'summary_text', text }] : [], encrypted_content: own.value },
  ]
}

const writeCall = ({ id, name, arguments: text }: ToolCall): ResponsesInput => ({
  type: 'function_call',
  call_id: callIdFor(id),
  name,
  arguments: text || '{}',
})

/** An output of text alone is a string. */
function writeResult({ id, parts }: ToolResult): ResponsesInput {
  const isText = parts.every(part => part.kind === 'text')
  const output = isText ? joinedText(parts) : parts.flatMap(part => writeContentPart(part, 'user'))
  return { type: 'function_call_output', call_id: callIdFor(id), output }
}

function writeContentPart(part: Part, role: ChatMessage['role']): ResponsesPart[] {
  switch (part.kind) {
    case 'text': {
      if (!part.text) return []
      if (role !== 'assistant') return [{ type: 'input_text', text: part.text }]
      const annotations = (part.citations ?? []).flatMap(citation => writeAnnotation(citation, part.text) ?? [])
      return [{ type: 'output_text', text: part.text, annotations }]
    }
    case 'refusal':
      return [{ type: 'refusal', refusal: part.text }]
    case 'image':
      return writeImage(part)
    case 'file':
      return writeFile(part)
    case 'audio':
      return writeAudio(part)
    case 'thinking':
    case 'tool_call':
    case 'tool_result':
    case 'native':
      return []
  }
}

function writeImage({ source, detail }: ImagePart): ResponsesPart[] {
  const pointer = pointerOf(source)
  return pointer ? [{ type: 'input_image', ...pointer, detail: detail ?? 'auto' }] : []
}

function pointerOf(source: Source): { file_id: string } | { image_url?: string } | undefined {
  if (source.via === 'id') return source.owner === 'openai' ? { file_id: source.id } : undefined
  return { image_url: urlOf(source) }
}

/** Text files become text. */
function writeFile({ source, name, context }: FilePart): ResponsesPart[] {
  const about: ResponsesPart[] = context ? [{ type: 'input_text', text: context }] : []
  const text = plainText(source)
  if (text !== undefined) return [...about, { type: 'input_text', text: name ? `${name}\n\n${text}` : text }]
  if (source.via === 'url') return [...about, { type: 'input_file', file_url: source.url }]
  return [...about, { type: 'input_file', ...fileFields(source, name) }]
}
