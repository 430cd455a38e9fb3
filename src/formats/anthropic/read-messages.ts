/**
 * Reads the messages of a request with their content blocks. https://docs.anthropic.com/en/api/messages (read 2026-11)
 */
import type {
  CacheMark,
  ChatMessage,
  FilePart,
  ImagePart,
  NativePart,
  Part,
  Source,
  TextPart,
  ToolResult,
} from '../canonical/chat.ts'
import { objectsOf, textOf } from '../json/lenient-json.ts'
import type { Field } from '../json/strict-json.ts'
import { unwrap } from '../translate/signature.ts'
import { readCitations } from './citations.ts'

export const readMessages = (messages: Field[]): ChatMessage[] =>
  messages.map(message => ({
    role: message.at('role').oneOf(['user', 'assistant', 'system']),
    parts: readContent(message.at('content')).filter(isContent).map(readBlock),
  }))

/** The content is a list of blocks or a string. */
function readContent(content: Field): Field[] {
  if (typeof content.value !== 'string') return content.list()
  return content.value ? [content.withValue({ type: 'text', text: content.value })] : []
}

/** Changes of the tools are no content: the tools are read with them. */
const isContent = (block: Field): boolean => !toolChanges.has(block.at('type').value)
const toolChanges = new Set<unknown>(['tool_addition', 'tool_removal'])

/** Blocks of hosted tools and other block types without a canonical form; they are kept as they are. */
const nativeTypes =
  /^(?:server_tool_use|\w+_tool_result|mcp_tool_use|mcp_tool_listing|container_upload|compaction|fallback|tool_reference|search_result)$/

function readBlock(block: Field): Part {
  const type = block.at('type').text()
  switch (type) {
    case 'text':
      return readText(block)
    case 'image':
      return { kind: 'image', source: readSource(block.at('source')), cache: readCacheMark(block) }
    case 'document':
      return readDocument(block)
    case 'tool_use':
      return {
        kind: 'tool_call',
        id: block.at('id').text(),
        name: block.at('name').text(),
        arguments: JSON.stringify(block.find('input')?.object() ?? {}),
        cache: readCacheMark(block),
      }
    case 'tool_result':
      return readResult(block)
    case 'thinking': {
      const value = block.find('signature')?.text()
      const signature = value ? unwrap(value, 'anthropic') : undefined
      return { kind: 'thinking', text: block.at('thinking').text(), signature }
    }
    case 'redacted_thinking': {
      const value = block.at('data').text()
      return { kind: 'thinking', text: '', signature: { ...unwrap(value, 'anthropic'), redacted: true } }
    }
    default:
      return nativeTypes.test(type) ? readNative(block) : block.at('type').unknown(type)
  }
}

function readText(block: Field): TextPart {
  const citations = readCitations(block.at('citations').value)
  const text = block.at('text').text()
  return { kind: 'text', text, cache: readCacheMark(block), citations: citations.length ? citations : undefined }
}

function readSource(source: Field): Source {
  switch (source.at('type').oneOf(['base64', 'url', 'file', 'text'])) {
    case 'base64':
      return { via: 'base64', media_type: source.at('media_type').text(), data: source.at('data').text() }
    case 'url':
      return { via: 'url', url: source.at('url').text() }
    case 'file':
      return { via: 'id', id: source.at('file_id').text(), owner: 'anthropic' }
    case 'text':
      return { via: 'text', text: source.at('data').text() }
  }
}

function readDocument(block: Field): FilePart | NativePart {
  if (block.at('source').at('type').value === 'content') return readNative(block)
  return {
    kind: 'file',
    source: readSource(block.at('source')),
    name: block.find('title')?.text(),
    context: block.find('context')?.text(),
    citations: block.at('citations').find('enabled')?.flag(),
    cache: readCacheMark(block),
  }
}

function readResult(block: Field): ToolResult {
  return {
    kind: 'tool_result',
    id: block.at('tool_use_id').text(),
    parts: block.find('content') ? readContent(block.at('content')).map(readResultPart) : [],
    is_error: block.find('is_error')?.flag() || undefined,
    cache: readCacheMark(block),
  }
}

/** Native blocks in a tool result become text. */
function readResultPart(block: Field): TextPart | ImagePart | FilePart {
  const part = readBlock(block)
  switch (part.kind) {
    case 'text':
    case 'image':
    case 'file':
      return part
    case 'native':
      return { kind: 'text', text: part.text ?? JSON.stringify(part.value) }
    default:
      return block.at('type').unknown(part.kind)
  }
}

function readNative(block: Field): NativePart {
  const value = block.object()
  const passages = objectsOf(value.content ?? block.at('source').at('content').value).map(({ text }) => textOf(text))
  const texts = [value.title, value.source, value.context, ...passages].map(textOf).filter(Boolean)
  return { kind: 'native', format: 'anthropic', value, text: passages.some(Boolean) ? texts.join('\n') : undefined }
}

export function readCacheMark(block: Field): CacheMark | undefined {
  const mark = block.find('cache_control')
  return mark && (mark.find('ttl')?.oneOf<CacheMark>(['5m', '1h']) ?? '5m')
}
