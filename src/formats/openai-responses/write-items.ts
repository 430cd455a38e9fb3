/** Turns of parts, as input items. */

import type { Json } from '../../pure/json.ts'
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
import { dataOf, urlOf } from '../media/data-url.ts'
import { plainText } from '../openai-chat/write-messages.ts'
import { callIdFor, fileFields } from '../openai-shared.ts'
import { ownedBy } from '../translate/signature.ts'
import { writeAnnotation } from './citations.ts'

export const writeItems = (turns: ChatMessage[]): Json[] => withThoughtsNamed(turns).flatMap(writeTurn)

/** Through other formats a thought comes back without its name; here no two may have the same. */
function withThoughtsNamed(turns: ChatMessage[]): ChatMessage[] {
  let count = 0
  const named = (part: Part): Part =>
    part.kind === 'thinking' && part.id === undefined ? { ...part, id: `rs_${count++}` } : part
  return turns.map(turn => ({ ...turn, parts: turn.parts.map(named) }))
}

/** What is said stands in messages; what is thought, called and answered are items of their own. */
function writeTurn({ role, parts }: ChatMessage): Json[] {
  const items: Json[] = []
  let said: Json[] = []
  const flush = () => {
    if (said.length) items.push({ type: 'message', role, content: said })
    said = []
  }
  for (const part of parts) {
    const content = writeContentPart(part, role)
    said.push(...content)
    if (content.length) continue
    const own = writeItem(part)
    if (own.length) flush()
    items.push(...own)
  }
  flush()
  return items
}

function writeItem(part: Part): Json[] {
  switch (part.kind) {
    case 'thinking':
      return writeThinking(part)
    case 'tool_call':
      return [writeCall(part)]
    case 'tool_result':
      return [writeResult(part)]
    case 'native':
      return part.format === 'openai-responses' ? [part.value] : []
    default:
      return []
  }
}

/** A thought that OpenAI did not have, or that it cannot open, is no item that it would take. */
function writeThinking({ text, signature, id }: ThinkingPart): Json[] {
  const own = ownedBy('openai', signature)
  if (!own) return []
  return [
    { type: 'reasoning', id, summary: text ? [{ type: 'summary_text', text }] : [], encrypted_content: own.value },
  ]
}

const writeCall = ({ id, name, arguments: text }: ToolCall): Json => ({
  type: 'function_call',
  call_id: callIdFor(id),
  name,
  arguments: text || '{}',
})

/** An output of words alone is a text. */
function writeResult({ id, parts }: ToolResult): Json {
  const isText = parts.every(part => part.kind === 'text')
  const text = parts.flatMap(part => (part.kind === 'text' ? part.text : [])).join('\n')
  const output = isText ? text : parts.flatMap(part => writeContentPart(part, 'user'))
  return { type: 'function_call_output', call_id: callIdFor(id), output }
}

function writeContentPart(part: Part, role: ChatMessage['role']): Json[] {
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
    case 'audio': {
      const sound = dataOf(part.source)
      const format = sound?.media_type.replace(/^audio\/(?:x-)?/, '').replace('mpeg', 'mp3')
      return sound ? [{ type: 'input_audio', input_audio: { data: sound.data, format } }] : []
    }
    case 'thinking':
    case 'tool_call':
    case 'tool_result':
    case 'native':
      return []
  }
}

function writeImage({ source, detail }: ImagePart): Json[] {
  const pointer = pointerOf(source, 'image_url')
  return pointer ? [{ type: 'input_image', ...pointer, detail: detail ?? 'auto' }] : []
}

function pointerOf(source: Source, key: string): Json | undefined {
  if (source.via === 'id') return source.owner === 'openai' ? { file_id: source.id } : undefined
  return { [key]: urlOf(source) }
}

/** A text file is text here. */
function writeFile({ source, name, context }: FilePart): Json[] {
  const about = context ? [{ type: 'input_text', text: context }] : []
  const text = plainText(source)
  if (text !== undefined) return [...about, { type: 'input_text', text: name ? `${name}\n\n${text}` : text }]
  if (source.via === 'url') return [...about, { type: 'input_file', file_url: source.url }]
  return [...about, { type: 'input_file', ...fileFields(source, name) }]
}
