/**
 * Writes canonical messages as `messages`: user and assistant alternate, the first one is the user's.
 * https://docs.anthropic.com/en/api/messages (read 2026-11)
 */
import { traitsOf } from '../../models/traits.ts'
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
import type { AnthropicBlock, AnthropicCall, AnthropicMessage, AnthropicSource, AnthropicText } from './wire.ts'

interface MessageBlocks {
  role: 'user' | 'assistant'
  content: AnthropicBlock[]
}

/** Text of a message that must exist and has no content. */
const PLACEHOLDER = '...'

export function writeMessages({ messages, model }: ChatRequest): AnthropicMessage[] {
  const spoken = merged(messages.filter(({ role }) => role !== 'system').map(writeMessage))
  const complete = merged(spoken.map(withoutLastThought))
  if (complete[0]?.role !== 'user') complete.unshift({ role: 'user', content: [] })
  const last = complete.at(-1)!
  if (last.role === 'assistant' && !traitsOf(model, 'anthropic').prefill) complete.push({ role: 'user', content: [] })
  else if (last.role === 'assistant') trimEnd(last)
  return complete.map(
    ({ role, content }): AnthropicMessage => ({ role, content: content.length ? contentOf(content) : PLACEHOLDER }),
  )
}

const writeMessage = ({ role, parts }: ChatMessage): MessageBlocks => {
  const content = parts.flatMap(writePart)
  return role === 'assistant' ? { role, content } : { role: 'user', content }
}

/** Merges neighbours of one role; an assistant that says nothing is left out. */
function merged(messages: MessageBlocks[]): MessageBlocks[] {
  const result: MessageBlocks[] = []
  for (const { role, content } of messages) {
    const last = result.at(-1)
    if (last?.role === role) last.content.push(...content)
    else if (content.length || role === 'user') result.push({ role, content: [...content] })
  }
  return result
}

/** Anthropic rejects a message whose last block is a thought, such as one that was cut. */
function withoutLastThought({ role, content }: MessageBlocks): MessageBlocks {
  const end = content.findLastIndex(({ type }) => type !== 'thinking' && type !== 'redacted_thinking')
  return { role, content: content.slice(0, end + 1) }
}

/** Anthropic rejects a final assistant message that ends in whitespace. */
function trimEnd({ content }: MessageBlocks) {
  const last = content.at(-1)
  if (last?.type === 'text') content[content.length - 1] = { ...last, text: last.text.trimEnd() }
}

/** A single text block without further fields becomes a string. */
function contentOf(content: AnthropicBlock[]): AnthropicMessage['content'] {
  const [only] = content
  return content.length === 1 && only?.type === 'text' && Object.keys(only).length === 2 ? only.text : content
}

export const writeCacheMark = (cache: CacheMark | undefined): Pick<AnthropicText, 'cache_control'> =>
  cache ? { cache_control: cache === '5m' ? { type: 'ephemeral' } : { type: 'ephemeral', ttl: cache } } : {}

function writePart(part: Part): AnthropicBlock[] {
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
      return part.format === 'anthropic' ? [part.value as AnthropicBlock] : []
    case 'audio':
      return []
  }
}

/** Anthropic rejects text blocks of whitespace only. */
function writeText({ text, cache, citations = [] }: TextPart): AnthropicText[] {
  if (!text.trim()) return []
  const own = citations.filter(({ native }) => native?.format === 'anthropic').flatMap(one => writeCitation(one) ?? [])
  const mark = writeCacheMark(cache)
  return [own.length ? { type: 'text', text, citations: own, ...mark } : { type: 'text', text, ...mark }]
}

function writeImage({ source, cache }: ImagePart): AnthropicBlock[] {
  const json = writeSource(source)
  return json ? [{ type: 'image', source: json, ...writeCacheMark(cache) }] : []
}

function writeSource(source: Source): AnthropicSource | undefined {
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
function writeFile({ source, name, context, citations, cache }: FilePart): AnthropicBlock[] {
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

const writeCall = ({ id, name, arguments: text, cache }: ToolCall): AnthropicCall => ({
  type: 'tool_use',
  id: idOf(id),
  name,
  input: parsedObject(text),
  ...writeCacheMark(cache),
})

const writeResult = ({ id, parts, is_error, cache }: ToolResult): AnthropicBlock => ({
  type: 'tool_result',
  tool_use_id: idOf(id),
  content: contentOf(parts.flatMap(writePart)),
  is_error: is_error || undefined,
  ...writeCacheMark(cache),
})
