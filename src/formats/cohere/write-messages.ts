/** Writes canonical messages as `messages`, and their documents apart. https://docs.cohere.com/reference/chat (read 2026-11) */
import type { ChatMessage, FilePart, ImagePart, Part, ThinkingPart, ToolCall, ToolResult } from '../canonical/chat.ts'
import { urlOf } from '../media/data-url.ts'
import type { CohereCall, CohereContent, CohereDocument, CohereMessage } from './wire.ts'

/** Text of a message that has no content of its own. */
const PLACEHOLDER = '...'

export function writeMessages(messages: ChatMessage[]): CohereMessage[] {
  const written = messages.flatMap(writeMessage)
  return written.some(({ role }) => role !== 'system') ? written : [...written, { role: 'user', content: PLACEHOLDER }]
}

/** Documents are fields of the request, from which the response cites. */
export const documentsOf = (messages: ChatMessage[]): CohereDocument[] =>
  messages.flatMap(({ parts }) => parts.filter((part): part is FilePart => part.kind === 'file')).map(writeDocument)

function writeDocument(part: FilePart, index: number): CohereDocument {
  const { name, context } = part
  return {
    id: `doc-${index + 1}`,
    data: { title: name || undefined, context: context || undefined, text: textOfFile(part) },
  }
}

/** Other documents than texts are refused before. */
function textOfFile({ source }: FilePart): string {
  if (source.via === 'text') return source.text
  return source.via === 'base64' ? Buffer.from(source.data, 'base64').toString('utf8') : ''
}

function writeMessage({ role, parts }: ChatMessage): CohereMessage[] {
  switch (role) {
    case 'system':
      return [{ role, content: textIn(parts, '\n') }]
    case 'assistant':
      return writeAssistant(parts)
    case 'user':
      return writeUser(parts)
  }
}

const textIn = (parts: Part[], separator: string): string =>
  parts.flatMap(part => (part.kind === 'text' || part.kind === 'refusal' ? part.text : [])).join(separator)

/** Beside tool calls there is only a plan: text and thoughts before the calls become it. */
function writeAssistant(parts: Part[]): CohereMessage[] {
  const calls = parts.filter((part): part is ToolCall => part.kind === 'tool_call')
  const content = textIn(parts, '')
  if (!calls.length) return content ? [{ role: 'assistant', content }] : []
  const thoughts = parts.filter((part): part is ThinkingPart => part.kind === 'thinking' && !part.signature)
  const tool_plan = [...thoughts.map(({ text }) => text), content].filter(Boolean).join('\n\n')
  return [{ role: 'assistant', tool_plan: tool_plan || undefined, tool_calls: calls.map(writeCall) }]
}

const writeCall = ({ id, name, arguments: text }: ToolCall): CohereCall => ({
  id,
  type: 'function',
  function: { name, arguments: text || '{}' },
})

/** Tool results stand before what the user says. A result holds only text, so its images follow as user content. */
function writeUser(parts: Part[]): CohereMessage[] {
  const results = parts.filter((part): part is ToolResult => part.kind === 'tool_result')
  const content = [...results.flatMap(result => result.parts.filter(isImage)), ...parts].flatMap(writeContent)
  if (!content.length && results.length) return results.map(writeResult)
  return [...results.map(writeResult), { role: 'user', content: contentOf(content) }]
}

const isImage = ({ kind }: Part): boolean => kind === 'image'

const writeResult = ({ id, parts }: ToolResult): CohereMessage => ({
  role: 'tool',
  tool_call_id: id,
  content: parts
    .flatMap(part => (part.kind === 'text' ? part.text : part.kind === 'file' ? textOfFile(part) : []))
    .join('\n'),
})

/** A single text becomes a string. */
function contentOf(content: CohereContent[]): string | CohereContent[] {
  const [only] = content
  if (!only) return PLACEHOLDER
  return content.length === 1 && only.type === 'text' ? only.text : content
}

function writeContent(part: Part): CohereContent[] {
  if (part.kind === 'text') return part.text ? [{ type: 'text', text: part.text }] : []
  return part.kind === 'image' ? writeImage(part) : []
}

function writeImage({ source, detail }: ImagePart): CohereContent[] {
  const url = urlOf(source)
  return url === undefined
    ? []
    : [{ type: 'image_url', image_url: { url, detail: detail === 'original' ? 'high' : detail } }]
}
