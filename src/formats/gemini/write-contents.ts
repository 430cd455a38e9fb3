import { traitsOf } from '../../models/traits.ts'
import type { Json } from '../../pure/json.ts'
import type { ChatMessage, ChatRequest, Part, Signature, Source, ToolCall, ToolResult } from '../canonical/chat.ts'
import { isHistoryCallId } from '../canonical/ids.ts'
import { isObject } from '../json/checks.ts'
import { parsed, parsedObject } from '../json/lenient-json.ts'
import { dataOf } from '../media/data-url.ts'
import { ownedBy } from '../translate/signature.ts'

interface Content {
  role: 'user' | 'model'
  parts: Json[]
}

/** What stands where something must stand and nothing was said. */
const NOTHING = '...'

/** What Google takes in place of a signature that nobody has. */
const UNSIGNED = 'skip_thought_signature_validator'

export function writeContents({ messages, model }: ChatRequest): Content[] {
  const { signed_calls: signed } = traitsOf(model, 'google')
  const names = namesOf(messages)
  const spoken = inCallOrder(messages.filter(({ role }) => role !== 'system'))
  const contents = merged(
    spoken.map(turn => ({
      role: turn.role === 'assistant' ? 'model' : 'user',
      parts: turn.role === 'assistant' ? writeModel(turn, signed) : writeUser(turn, names, signed),
    })),
  )
  if (contents[0]?.role !== 'user') contents.unshift({ role: 'user', parts: [{ text: NOTHING }] })
  return contents
}

/** Results come first in what follows the calls, and in the order of the calls: some are known by nothing else. */
function inCallOrder(turns: ChatMessage[]): ChatMessage[] {
  const order = new Map([...namesOf(turns).keys()].map((id, at) => [id, at]))
  const place = (part: Part) => (part.kind === 'tool_result' ? (order.get(part.id) ?? -1) : order.size)
  return joined(turns).map(turn => ({ ...turn, parts: turn.parts.toSorted((a, b) => place(a) - place(b)) }))
}

/** Neighbours of one role as one turn. */
function joined(turns: ChatMessage[]): ChatMessage[] {
  const result: ChatMessage[] = []
  for (const { role, parts } of turns) {
    const last = result.at(-1)
    if (last?.role === role) last.parts.push(...parts)
    else result.push({ role, parts: [...parts] })
  }
  return result
}

/** Neighbours of one role are one content, and none is empty. */
function merged(contents: Content[]): Content[] {
  const result: Content[] = []
  for (const { role, parts } of contents) {
    const last = result.at(-1)
    if (last?.role === role) last.parts.push(...parts)
    else if (parts.length) result.push({ role, parts: [...parts] })
  }
  return result
}

/** A result says which function it is of; other formats know that only from the call. */
function namesOf(turns: ChatMessage[]): Map<string, string> {
  const calls = turns.flatMap(({ parts }) => parts.filter((part): part is ToolCall => part.kind === 'tool_call'))
  return new Map(calls.map(({ id, name }) => [id, name]))
}

/** A thought without words is nothing but the signature of what follows it. */
function writeModel({ parts }: ChatMessage, signed: boolean): Json[] {
  const written: Json[] = []
  let pending: Signature | undefined
  let isFirstCall = true
  for (const part of parts) {
    if (part.kind === 'thinking' && !part.text) {
      pending = ownedBy('gemini', part.signature)
      continue
    }
    const own = 'signature' in part ? ownedBy('gemini', part.signature) : undefined
    const missing = signed && part.kind === 'tool_call' && isFirstCall ? UNSIGNED : undefined
    const thoughtSignature = own?.value ?? pending?.value ?? missing
    if (part.kind === 'tool_call') isFirstCall = false
    written.push(...writePart(part).map(json => ({ ...json, ...(thoughtSignature && { thoughtSignature }) })))
    pending = undefined
  }
  return written
}

function writeUser({ parts }: ChatMessage, names: Map<string, string>, signed: boolean): Json[] {
  const written = parts.flatMap((part): Json[] => {
    if (part.kind !== 'tool_result') return writePart(part)
    const media = part.parts.filter(inner => inner.kind !== 'text').flatMap(writePart)
    const result = writeResult(part, part.name ?? names.get(part.id) ?? part.id)
    if (!signed || !media.length) return [{ functionResponse: result }, ...media]
    return [{ functionResponse: { ...result, parts: media } }]
  })
  return written.toSorted((a, b) => Number('functionResponse' in b) - Number('functionResponse' in a))
}

const idOf = (id: string): Json => (isHistoryCallId(id) || !id ? {} : { id })

function writeResult({ id, parts, is_error }: ToolResult, name: string): Json {
  const text = parts.flatMap(part => (part.kind === 'text' ? part.text : [])).join('\n')
  const data = parsed(text)
  const value = isObject(data) ? data : text
  const response = is_error ? { error: value } : isObject(value) ? value : { result: value }
  return { ...idOf(id), name, response }
}

function writePart(part: Part): Json[] {
  switch (part.kind) {
    case 'text':
      return part.text || part.signature?.owner === 'gemini' ? [{ text: part.text }] : []
    case 'refusal':
      return [{ text: part.text }]
    case 'thinking':
      return ownedBy('gemini', part.signature) ? [{ text: part.text, thought: true }] : []
    case 'image':
    case 'audio':
    case 'file':
      return writeSource(part.source)
    case 'tool_call': {
      const { id, name, arguments: text } = part
      return [{ functionCall: { ...idOf(id), name, args: parsedObject(text) } }]
    }
    case 'native':
      return part.format === 'gemini' ? [part.value] : []
    case 'tool_result':
      return []
  }
}

function writeSource(source: Source): Json[] {
  if (source.via === 'id') {
    return source.owner === 'gemini' ? [{ fileData: { mimeType: source.media_type, fileUri: source.id } }] : []
  }
  if (source.via === 'url') return [{ fileData: { mimeType: source.media_type, fileUri: source.url } }]
  const { media_type, data } = dataOf(source)!
  return [{ inlineData: { mimeType: media_type, data } }]
}
