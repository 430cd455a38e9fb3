/**
 * Reads input items into canonical messages: consecutive items of the model form one message, and so do their results.
 * https://platform.openai.com/docs/api-reference/responses (read 2026-11)
 */
import type {
  ChatMessage,
  FilePart,
  ImagePart,
  NativePart,
  Part,
  Source,
  TextPart,
  ThinkingPart,
  ToolResult,
} from '../canonical/chat.ts'
import type { Field } from '../json/strict-json.ts'
import { sourceOf } from '../media/data-url.ts'
import { readCustomCall } from '../translate/custom-tools.ts'
import { fullNameOf } from '../translate/namespaces.ts'
import { unwrap } from '../translate/signature.ts'
import { readAnnotations } from './citations.ts'
import { reasoningText } from './read-response.ts'
import { isClients, readSearchCall, readSearchResult } from './tool-search.ts'

export function readItems(input: Field): ChatMessage[] {
  if (typeof input.value === 'string') return [{ role: 'user', parts: [{ kind: 'text', text: input.value }] }]
  const messages: ChatMessage[] = []
  let wasJoinable = false
  for (const item of input.list()) {
    const read = readItem(item)
    if (!read) continue
    const { role, parts, is_joinable } = read
    const last = messages.at(-1)
    if (last && last.role === role && is_joinable && wasJoinable) last.parts.push(...parts)
    else messages.push({ role, parts })
    wasJoinable = is_joinable
  }
  return messages
}

interface Item extends ChatMessage {
  /** Whether it forms one message with neighbours of the same role. */
  is_joinable: boolean
}

/** Item types of hosted tools and of settings; they are kept as they are. */
const nativeTypes = /_call$|_output$|^(?:mcp_|item_reference|(?:context_)?compaction|program|configuration_update$)/

/** @returns undefined for an item that is no part of the conversation */
function readItem(item: Field): Item | undefined {
  const type = item.find('type')?.text() ?? 'message'
  switch (type) {
    case 'message':
      return readMessage(item)
    case 'agent_message':
      return readAgentMessage(item)
    case 'additional_tools':
      return undefined
    case 'reasoning':
      return { role: 'assistant', parts: [readReasoning(item)], is_joinable: true }
    case 'function_call': {
      const id = item.at('call_id').text()
      const call: Part = { kind: 'tool_call', id, name: fullNameOf(item), arguments: item.at('arguments').text() }
      return { role: 'assistant', parts: [call], is_joinable: true }
    }
    case 'custom_tool_call': {
      const call = { ...readCustomCall(item, item.at('call_id').text()), name: fullNameOf(item) }
      return { role: 'assistant', parts: [call], is_joinable: true }
    }
    case 'function_call_output':
    case 'custom_tool_call_output':
      return { role: 'user', parts: [readResult(item)], is_joinable: true }
    case 'tool_search_call':
      return isClients(item)
        ? { role: 'assistant', parts: [readSearchCall(item)], is_joinable: true }
        : readNative(item, type)
    case 'tool_search_output':
      return isClients(item)
        ? { role: 'user', parts: [readSearchResult(item)], is_joinable: true }
        : readNative(item, type)
    default:
      return nativeTypes.test(type) ? readNative(item, type) : item.at('type').unknown(type)
  }
}

function readNative(item: Field, type: string): Item {
  const native: NativePart = { kind: 'native', format: 'openai-responses', value: item.object() }
  if (type === 'item_reference') native.is_stored = true
  return { role: type.endsWith('_output') ? 'user' : 'assistant', parts: [native], is_joinable: true }
}

/** What one agent says to another; only OpenAI can read what it has encrypted. */
function readAgentMessage(item: Field): Item {
  const parts = item.at('content').list()
  const readable = parts.filter(part => part.at('type').value !== 'encrypted_content')
  return { role: 'user', parts: readable.map(readPart), is_joinable: false }
}

function readMessage(item: Field): Item {
  const role = item.at('role').oneOf(['user', 'assistant', 'system', 'developer'])
  const parts = readContent(item.at('content'))
  if (role === 'assistant' || role === 'user') return { role, parts, is_joinable: role === 'assistant' }
  return { role: 'system', parts: parts.filter(part => part.kind === 'text'), is_joinable: false }
}

function readContent(content: Field): Part[] {
  if (typeof content.value === 'string') return content.value ? [{ kind: 'text', text: content.value }] : []
  return content.list().map(readPart)
}

function readReasoning(item: Field): ThinkingPart {
  const value = item.find('encrypted_content')?.text()
  return {
    kind: 'thinking',
    text: reasoningText(item.object()),
    signature: value ? unwrap(value, 'openai') : undefined,
    id: item.find('id')?.text(),
  }
}

function readResult(item: Field): ToolResult {
  const parts = readContent(item.at('output')).map((part, index): TextPart | ImagePart | FilePart =>
    part.kind === 'text' || part.kind === 'image' || part.kind === 'file'
      ? part
      : item.at('output').list()[index]!.at('type').unknown(part.kind),
  )
  return { kind: 'tool_result', id: item.at('call_id').text(), parts }
}

function readPart(part: Field): Part {
  const type = part.at('type').text()
  switch (type) {
    case 'input_text':
    case 'text':
      return { kind: 'text', text: part.at('text').text() }
    case 'output_text': {
      const citations = readAnnotations(part.at('annotations').value)
      return { kind: 'text', text: part.at('text').text(), ...(citations.length && { citations }) }
    }
    case 'refusal':
      return { kind: 'refusal', text: part.at('refusal').text() }
    case 'input_image':
      return { kind: 'image', source: readSource(part, 'image_url'), detail: part.find('detail')?.text() }
    case 'input_file':
      return { kind: 'file', source: readFile(part), name: part.find('filename')?.text() }
    case 'input_audio': {
      const audio = part.at('input_audio')
      const media_type = `audio/${audio.at('format').text()}`
      return { kind: 'audio', source: { via: 'base64', media_type, data: audio.at('data').text() } }
    }
    default:
      return part.at('type').unknown(type)
  }
}

function readSource(part: Field, key: string): Source {
  const id = part.find('file_id')?.text()
  return id ? { via: 'id', id, owner: 'openai' } : sourceOf(part.at(key).text())
}

const readFile = (part: Field): Source => readSource(part, part.find('file_url') ? 'file_url' : 'file_data')
