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

interface Message {
  role: 'user' | 'assistant'
  content: Json[]
}

/** What stands where something must stand and nothing was said. */
const NOTHING = '...'

export function writeMessages(request: ChatRequest): Json[] {
  const messages = merged(request.messages.filter(({ role }) => role !== 'system').map(writeTurn))
  if (messages[0]?.role !== 'user') messages.unshift({ role: 'user', content: [{ type: 'text', text: NOTHING }] })
  const last = messages.at(-1)!
  if (last.role === 'assistant') trimEnd(last)
  return messages.map(({ role, content }) => ({ role, content: contentOf(content) }))
}

const writeTurn = ({ role, parts }: ChatMessage): Message => {
  const content = parts.flatMap(writePart)
  return role === 'assistant' ? { role, content } : { role: 'user', content }
}

/** Neighbours of one role are one message. Results stand first, for they answer the message before. */
function merged(messages: Message[]): Message[] {
  const result: Message[] = []
  for (const { role, content } of messages) {
    const last = result.at(-1)
    if (last?.role === role) last.content.push(...content)
    else if (content.length || role === 'user') result.push({ role, content: [...content] })
  }
  for (const message of result) {
    if (!message.content.length) message.content.push({ type: 'text', text: NOTHING })
    message.content.sort((a, b) => Number(b.type === 'tool_result') - Number(a.type === 'tool_result'))
  }
  return result
}

/** The provider takes no answer to be continued that ends in blanks. */
function trimEnd({ content }: Message) {
  const last = content.at(-1)
  if (last?.type === 'text') content[content.length - 1] = { ...last, text: String(last.text).trimEnd() }
}

/** A single plain text needs no list around it. */
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

/** Texts of blanks alone are refused. */
function writeText({ text, cache, citations = [] }: TextPart): Json[] {
  if (!text.trim()) return []
  const own = citations.filter(({ native }) => native?.format === 'anthropic').map(writeCitation)
  return [{ type: 'text', text, ...(own.length && { citations: own }), ...writeCacheMark(cache) }]
}

function writeImage({ source, cache }: ImagePart): Json[] {
  const written = writeSource(source)
  return written ? [{ type: 'image', source: written, ...writeCacheMark(cache) }] : []
}

function writeSource(source: Source): Json | undefined {
  switch (source.via) {
    case 'url':
      return { type: 'url', url: source.url }
    case 'base64':
      return { type: 'base64', media_type: seenIn(source.data) ?? source.media_type, data: source.data }
    case 'text':
      return { type: 'text', media_type: 'text/plain', data: source.text }
    case 'id':
      return source.owner === 'anthropic' ? { type: 'file', file_id: source.id } : undefined
  }
}

/** How the kinds of pictures begin, in base64: one that is called another is refused. */
const beginnings: [string, string][] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
]

const seenIn = (data: string) => beginnings.find(([beginning]) => data.startsWith(beginning))?.[1]

/** Here a document is a PDF or a text. */
function writeFile({ source, name, context, citations, cache }: FilePart): Json[] {
  const written = writeSource(source.via === 'base64' && source.media_type !== PDF ? asText(source) : source)
  if (!written) return []
  const wish = citations === undefined ? undefined : { enabled: citations }
  return [{ type: 'document', source: written, title: name, context, citations: wish, ...writeCacheMark(cache) }]
}

const PDF = 'application/pdf'

const asText = ({ data }: Source & { via: 'base64' }): Source => ({
  via: 'text',
  text: Buffer.from(data, 'base64').toString('utf8'),
})

/** Ids of other formats may have characters that this one refuses; a call and its result change alike. */
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
