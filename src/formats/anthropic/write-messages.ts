/**
 * Writes canonical messages as `messages`: user and assistant alternate, the first one is the user's.
 * https://docs.anthropic.com/en/api/messages (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import type {
  CacheMark,
  ChatMessage,
  ChatRequest,
  FilePart,
  ImagePart,
  Part,
  Source,
  TextPart,
  ToolCall,
  ToolResult,
} from '../canonical/chat.ts'
import { parsedObject } from '../json/lenient-json.ts'
import { ownedBy } from '../translate/signature.ts'
import { writeCitation } from './citations.ts'

interface MessageBlocks {
  role: 'user' | 'assistant'
  content: Json[]
}

/** Text of a message that must exist and has no content. */
const PLACEHOLDER = '...'

export function writeMessages(request: ChatRequest): Json[] {
  const messages = merged(request.messages.filter(({ role }) => role !== 'system').map(writeMessage))
  if (messages[0]?.role !== 'user') messages.unshift({ role: 'user', content: [{ type: 'text', text: PLACEHOLDER }] })
  const last = messages.at(-1)!
  if (last.role === 'assistant') trimEnd(last)
  return messages.map(({ role, content }) => ({ role, content: contentOf(content) }))
}

const writeMessage = ({ role, parts }: ChatMessage): MessageBlocks => {
  const content = parts.flatMap(writePart)
  return role === 'assistant' ? { role, content } : { role: 'user', content }
}

/** Merges neighbours of one role. */
function merged(messages: MessageBlocks[]): MessageBlocks[] {
  const result: MessageBlocks[] = []
  for (const { role, content } of messages) {
    const last = result.at(-1)
    if (last?.role === role) last.content.push(...content)
    else if (content.length || role === 'user') result.push({ role, content: [...content] })
  }
  for (const { content } of result) if (!content.length) content.push({ type: 'text', text: PLACEHOLDER })
  return result
}

/** Anthropic rejects a final assistant message that ends in whitespace. */
function trimEnd({ content }: MessageBlocks) {
  const last = content.at(-1)
  if (last?.type === 'text') content[content.length - 1] = { ...last, text: String(last.text).trimEnd() }
}

/** A single text block without further fields becomes a string. */
function contentOf(content: Json[]): unknown {
  const [only] = content
  return content.length === 1 && only?.type === 'text' && Object.keys(only).length === 2 ? only.text : content
}

export const writeCacheMark = (cache: CacheMark | undefined): Json =>
  cache ? { cache_control: cache === '5m' ? { type: 'ephemeral' } : { type: 'ephemeral', ttl: cache } } : {}

function writePart(part: Part): Json[] {
  switch (part.kind) {
    case 'text':
      return writeText(part)
    case 'image':
      return writeImage(part)
    case 'file':
      return writeFile(part)
    case 'tool_call':
      return [writeCall(part)]
    case 'tool_result':
      return [writeResult(part)]
    case 'thinking': {
      const signature = ownedBy('anthropic', part.signature)
      if (!signature) return []
      if (signature.redacted) return [{ type: 'redacted_thinking', data: signature.value }]
      return [{ type: 'thinking', thinking: part.text, signature: signature.value }]
    }
    case 'refusal':
      return writeText({ kind: 'text', text: part.text })
    case 'native':
      return part.format === 'anthropic' ? [part.value] : []
    case 'audio':
      return []
  }
}

/** Anthropic rejects text blocks of whitespace only. */
function writeText({ text, cache, citations = [] }: TextPart): Json[] {
  if (!text.trim()) return []
  const own = citations.filter(({ native }) => native?.format === 'anthropic').map(writeCitation)
  return [{ type: 'text', text, ...(own.length && { citations: own }), ...writeCacheMark(cache) }]
}

function writeImage({ source, cache }: ImagePart): Json[] {
  const json = writeSource(source)
  return json ? [{ type: 'image', source: json, ...writeCacheMark(cache) }] : []
}

function writeSource(source: Source): Json | undefined {
  switch (source.via) {
    case 'url':
      return { type: 'url', url: source.url }
    case 'base64':
      return { type: 'base64', media_type: imageTypeOf(source.data) ?? source.media_type, data: source.data }
    case 'text':
      return { type: 'text', media_type: 'text/plain', data: source.text }
    case 'id':
      return source.owner === 'anthropic' ? { type: 'file', file_id: source.id } : undefined
  }
}

/** First base64 characters of each image type. Anthropic rejects an image whose `media_type` is wrong. */
const imagePrefixes: [string, string][] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
]

const imageTypeOf = (data: string) => imagePrefixes.find(([prefix]) => data.startsWith(prefix))?.[1]

/** A document block is a PDF or plain text. */
function writeFile({ source, name, context, citations, cache }: FilePart): Json[] {
  const json = writeSource(source.via === 'base64' && source.media_type !== PDF ? asText(source) : source)
  if (!json) return []
  const setting = citations === undefined ? undefined : { enabled: citations }
  return [{ type: 'document', source: json, title: name, context, citations: setting, ...writeCacheMark(cache) }]
}

const PDF = 'application/pdf'

const asText = ({ data }: Source & { via: 'base64' }): Source => ({
  via: 'text',
  text: Buffer.from(data, 'base64').toString('utf8'),
})

/** Tool call ids accept only letters, digits, `_` and `-`; the ids of a call and of its result change alike. */
const idOf = (id: string) => id.replaceAll(/[^\w-]/g, '_')

const writeCall = ({ id, name, arguments: text, cache }: ToolCall): Json => ({
  type: 'tool_use',
  id: idOf(id),
  name,
  input: parsedObject(text),
  ...writeCacheMark(cache),
})

const writeResult = ({ id, parts, is_error, cache }: ToolResult): Json => ({
  type: 'tool_result',
  tool_use_id: idOf(id),
  content: contentOf(parts.flatMap(writePart)),
  ...(is_error && { is_error }),
  ...writeCacheMark(cache),
})
