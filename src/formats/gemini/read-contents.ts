/**
 * Reads `contents` into canonical messages: Google's SDKs keep each chunk of a stream as a content, so that neighbours
 * of the model are one message. https://ai.google.dev/api/generate-content (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import type { ChatMessage, NativePart, Part, Signature, Source, TextPart, ToolResult } from '../canonical/chat.ts'
import { historyCallId } from '../canonical/ids.ts'
import { joinedPieces } from '../canonical/joined-pieces.ts'
import { isObject } from '../json/checks.ts'
import { entryOf, objectOf, textOf } from '../json/lenient-json.ts'
import type { Field } from '../json/strict-json.ts'
import { unwrap } from '../translate/signature.ts'

export function readContents(contents: Field[]): ChatMessage[] {
  const calls = new CallIds()
  const messages: ChatMessage[] = []
  for (const content of contents) {
    const isModel = content.find('role')?.oneOf(['user', 'model', 'function']) === 'model'
    const parts = readParts(content, calls)
    const last = messages.at(-1)
    if (isModel && last?.role === 'assistant') for (const part of parts) last.parts.push(part)
    else messages.push({ role: isModel ? 'assistant' : 'user', parts })
  }
  for (const message of messages) if (message.role === 'assistant') message.parts = joinedPieces(message.parts)
  return messages
}

/** The last chunk of a stream may have no parts. */
const readParts = (content: Field, calls: CallIds): Part[] =>
  content
    .find('parts')
    ?.oneOrMore()
    .map(part => readPart(part, calls)) ?? []

/** Pairs tool calls with their results by name and order, for calls without ids. */
class CallIds {
  #count = 0
  readonly #unanswered: { id: string; name: string }[] = []

  register(id: string | undefined, name: string): string {
    const call = { id: id ?? historyCallId(this.#count), name }
    this.#count++
    this.#unanswered.push(call)
    return call.id
  }

  resolve(id: string | undefined, name: string): string {
    if (id !== undefined) return id
    const at = this.#unanswered.findIndex(call => call.name === name)
    return at < 0 ? historyCallId(this.#count++) : this.#unanswered.splice(at, 1)[0]!.id
  }
}

function readPart(part: Field, calls: CallIds): Part {
  const signature = readSignature(part.find('thoughtSignature'))
  if (part.find('functionCall')) {
    const call = part.at('functionCall')
    const name = call.at('name').text()
    const id = calls.register(call.find('id')?.text(), name)
    const text = JSON.stringify(call.find('args')?.object() ?? {})
    return { kind: 'tool_call', id, name, arguments: text, signature }
  }
  if (part.find('functionResponse')) return readResult(part.at('functionResponse'), calls)
  if (part.find('inlineData') || part.find('fileData')) return readMedia(part, readSource(part))
  if (part.find('executableCode') || part.find('codeExecutionResult')) return readCode(part.object())
  if (isServerSide(part.object())) return readServerSide(part.object())
  const text = isBare(part.object()) ? '' : part.at('text').text()
  return part.find('thought')?.flag() ? { kind: 'thinking', text, signature } : { kind: 'text', text, signature }
}

/** Google's Go SDK leaves empty texts out, also those that carry a signature. */
const isBare = (part: Json): boolean => Object.keys(part).every(name => bareFields.has(name))
const bareFields = new Set(['thought', 'thoughtSignature', 'partMetadata'])

const readSignature = (field: Field | undefined): Signature | undefined => field && unwrap(field.text(), 'gemini')

const readSource = (part: Field): Source =>
  part.find('fileData') ? readFileData(part.at('fileData')) : readInline(part.at('inlineData'))

const readInline = (data: Field): Source => ({
  via: 'base64',
  media_type: data.at('mimeType').text(),
  data: data.at('data').text(),
})

/** URIs that only Google can open: Cloud Storage, the Files API, YouTube. */
const googleOnly = /^gs:|^https:\/\/generativelanguage\.googleapis\.com\/|^https:\/\/(?:www\.)?youtu(?:be\.com|\.be)\//

function readFileData(data: Field): Source {
  const uri = data.at('fileUri').text()
  const media_type = data.find('mimeType')?.text()
  return googleOnly.test(uri)
    ? { via: 'id', id: uri, owner: 'gemini', media_type }
    : { via: 'url', url: uri, media_type }
}

/** Canonical image detail by Gemini's `mediaResolution` level. */
const details: Record<string, string> = {
  MEDIA_RESOLUTION_LOW: 'low',
  MEDIA_RESOLUTION_MEDIUM: 'auto',
  MEDIA_RESOLUTION_HIGH: 'high',
  MEDIA_RESOLUTION_ULTRA_HIGH: 'high',
}

function readMedia(part: Field, source: Source): Part {
  const [type] = (('media_type' in source && source.media_type) || '').split('/')
  if (type === 'image')
    return { kind: 'image', source, detail: entryOf(details, part.at('mediaResolution').at('level').value) }
  return type === 'audio' ? { kind: 'audio', source } : { kind: 'file', source }
}

function readResult(result: Field, calls: CallIds): ToolResult {
  const name = result.at('name').text()
  const media =
    result
      .find('parts')
      ?.list()
      .map(part => readMedia(part, readSource(part))) ?? []
  return {
    kind: 'tool_result',
    id: calls.resolve(result.find('id')?.text(), name),
    name,
    ...readResponse(result.find('response')?.object() ?? {}, media),
  }
}

/** A text result stands under `result`, an error message under `error`; any other object is the result as JSON. */
function readResponse(response: Json, media: Part[]): Pick<ToolResult, 'parts' | 'is_error'> {
  const isSingle = Object.keys(response).length === 1
  const failed = isSingle && typeof response.error === 'string'
  const text = failed ? response.error : isSingle ? response.result : undefined
  const part: TextPart = { kind: 'text', text: typeof text === 'string' ? text : JSON.stringify(response) }
  const attachments = media.filter(part => part.kind === 'image' || part.kind === 'file')
  return { parts: [part, ...attachments], ...(failed && { is_error: true }) }
}

/**
 * A call of one of Google's tools, or its response: only Google can read them, and wants them back.
 * https://ai.google.dev/gemini-api/docs/tool-combination (read 2026-11)
 */
export const isServerSide = ({ toolCall, toolResponse }: Json): boolean => isObject(toolCall) || isObject(toolResponse)

export const readServerSide = (value: Json): NativePart => ({ kind: 'native', format: 'gemini', value })

/** Code that Gemini has run, or its output: a native part with a Markdown text. */
export function readCode(value: Json): NativePart {
  const code = objectOf(value.executableCode)
  const result = objectOf(value.codeExecutionResult)
  const text = isObject(value.executableCode)
    ? fenced(textOf(code.language).toLowerCase(), textOf(code.code))
    : fenced('output', textOf(result.output))
  return { kind: 'native', format: 'gemini', value, text }
}

const fenced = (language: string, text: string) => `\n\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\n`
