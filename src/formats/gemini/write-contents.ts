/**
 * Writes canonical messages as `contents`: the first is the user's, neighbours alternate.
 * https://ai.google.dev/api/generate-content (read 2026-11)
 */
import { traitsOf } from '../../models/traits.ts'
import { parsedOrUndefined } from '../../pure/json.ts'
import type { ChatMessage, ChatRequest, Part, Signature, Source, ToolCall, ToolResult } from '../canonical/chat.ts'
import { isHistoryCallId } from '../canonical/ids.ts'
import { isObject } from '../json/checks.ts'
import { parsedObject } from '../json/lenient-json.ts'
import { dataOf } from '../media/data-url.ts'
import { ownedBy } from '../translate/signature.ts'
import type { GeminiContent, GeminiPart, GeminiResult } from './wire.ts'

/** Text of a content that must exist and has no parts. */
const PLACEHOLDER = '...'

/**
 * Placeholder that Gemini accepts for a tool call of another provider, which has no signature.
 * https://ai.google.dev/gemini-api/docs/thought-signatures (read 2026-11)
 */
const UNSIGNED = 'skip_thought_signature_validator'

export function writeContents({ messages, model }: ChatRequest): GeminiContent[] {
  const { signed_calls: signed } = traitsOf(model, 'google')
  const names = namesOf(messages)
  const written = messages
    .filter(({ role }) => role !== 'system')
    .map(
      (message): GeminiContent =>
        message.role === 'assistant'
          ? { role: 'model', parts: writeModel(message, signed) }
          : { role: 'user', parts: writeUser(message, names, signed) },
    )
  const contents = mergedNeighbours(written.filter(({ parts }) => parts.length))
  if (contents[0]?.role !== 'user') contents.unshift({ role: 'user', parts: [{ text: PLACEHOLDER }] })
  return contents
}

/** Joins neighbours of one role. */
function mergedNeighbours(contents: GeminiContent[]): GeminiContent[] {
  const result: GeminiContent[] = []
  for (const { role, parts } of contents) {
    const last = result.at(-1)
    if (last?.role === role) last.parts.push(...parts)
    else result.push({ role, parts: [...parts] })
  }
  return result
}

/** Names of functions by call id: a `functionResponse` needs the name, which other formats state in the call alone. */
function namesOf(messages: ChatMessage[]): Map<string, string> {
  const calls = messages.flatMap(({ parts }) => parts.filter((part): part is ToolCall => part.kind === 'tool_call'))
  return new Map(calls.map(({ id, name }) => [id, name]))
}

/** Gemini refuses what is no whole base64, such as a signature that a client has shortened. */
const signatureOf = (signature: Signature | undefined): string | undefined => {
  const value = ownedBy('gemini', signature)?.value
  return value && base64.test(value) && value.replace(/=+$/, '').length % 4 !== 1 ? value : undefined
}
const base64 = /^[\w+/-]+={0,2}$/

/**
 * A thinking part without text only carries a signature: of the next part that is written, or of the text before it
 * where there is none, or where another such part follows.
 */
function writeModel({ parts }: ChatMessage, signed: boolean): GeminiPart[] {
  const written: GeminiPart[] = []
  let pending: string | undefined
  let isFirstCall = true
  for (const part of parts) {
    if (part.kind === 'thinking' && !part.text) {
      const signature = signatureOf(part.signature)
      if (!signature) continue
      signLastText(written, pending)
      pending = signature
      continue
    }
    const [json] = writePart(part)
    if (!json) continue
    const own = 'signature' in part ? signatureOf(part.signature) : undefined
    const missing = signed && part.kind === 'tool_call' && isFirstCall ? UNSIGNED : undefined
    const thoughtSignature = own ?? pending ?? missing
    if (part.kind === 'tool_call') isFirstCall = false
    written.push(thoughtSignature ? { ...json, thoughtSignature } : json)
    pending = undefined
  }
  signLastText(written, pending)
  return written
}

function signLastText(written: GeminiPart[], thoughtSignature: string | undefined) {
  const last = written.at(-1)
  if (!thoughtSignature || last?.text === undefined || last.thought || last.thoughtSignature) return
  last.thoughtSignature = thoughtSignature
}

function writeUser({ parts }: ChatMessage, names: Map<string, string>, signed: boolean): GeminiPart[] {
  const written = parts.flatMap((part): GeminiPart[] => {
    if (part.kind !== 'tool_result') return writePart(part)
    const media = part.parts.filter(inner => inner.kind !== 'text').flatMap(writePart)
    const result = writeResult(part, names.get(part.id) ?? part.name ?? part.id)
    if (!signed || !media.length) return [{ functionResponse: result }, ...media]
    return [{ functionResponse: { ...result, parts: media } }]
  })
  return written.toSorted((a, b) => Number('functionResponse' in b) - Number('functionResponse' in a))
}

const idOf = (id: string): { id?: string } => (isHistoryCallId(id) || !id ? {} : { id })

function writeResult({ id, parts, is_error }: ToolResult, name: string): GeminiResult {
  const text = parts.flatMap(part => (part.kind === 'text' ? part.text : [])).join('\n')
  const data = parsedOrUndefined(text)
  const value = isObject(data) ? data : text
  const response = is_error ? { error: value } : isObject(value) ? value : { result: value }
  return { ...idOf(id), name, response }
}

function writePart(part: Part): GeminiPart[] {
  switch (part.kind) {
    case 'text':
      return part.text || signatureOf(part.signature) ? [{ text: part.text }] : []
    case 'refusal':
      return [{ text: part.text }]
    case 'thinking':
      return signatureOf(part.signature) ? [{ text: part.text, thought: true }] : []
    case 'image':
    case 'audio':
    case 'file':
      return writeSource(part.source)
    case 'tool_call': {
      const { id, name, arguments: text } = part
      return [{ functionCall: { ...idOf(id), name, args: parsedObject(text) } }]
    }
    case 'native':
      return part.format === 'gemini' ? [part.value as GeminiPart] : []
    case 'tool_result':
      return []
  }
}

function writeSource(source: Source): GeminiPart[] {
  if (source.via === 'id') {
    return source.owner === 'gemini' ? [{ fileData: { mimeType: source.media_type, fileUri: source.id } }] : []
  }
  if (source.via === 'url') return [{ fileData: { mimeType: source.media_type, fileUri: source.url } }]
  const { media_type, data } = dataOf(source)!
  return [{ inlineData: { mimeType: media_type, data } }]
}
