/**
 * Writes the parts of messages as content blocks.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html (read 2026-11)
 */
import type { ConverseTraits } from '../../models/converse.ts'
import type { CacheMark, FilePart, ImagePart, Part, Source, ToolCall, ToolResult } from '../canonical/chat.ts'
import { entryOf, parsedObject } from '../json/lenient-json.ts'
import { ownedBy } from '../translate/signature.ts'
import type { CachePoint, ConverseBlock } from './wire.ts'

/** Text where there must be one. */
export const PLACEHOLDER = '...'

export const cacheStop = ({ cache }: ConverseTraits): boolean => cache !== undefined

/** The prompt is cached up to here, for five minutes unless named. */
export const writeCachePoint = (cache: CacheMark | undefined, isKnown: boolean): CachePoint[] =>
  cache && isKnown ? [{ cachePoint: { type: 'default', ttl: cache === '5m' ? undefined : cache } }] : []

/** Writes the parts of one request, whose documents have names of their own. */
export class PartWriter {
  readonly #names = new Set<string>()

  constructor(private readonly traits: ConverseTraits) {}

  write(part: Part): ConverseBlock[] {
    const blocks = this.#blocks(part)
    const cache = 'cache' in part && blocks.length ? part.cache : undefined
    return [...blocks, ...writeCachePoint(cache, cacheStop(this.traits))]
  }

  #blocks(part: Part): ConverseBlock[] {
    switch (part.kind) {
      case 'text':
      case 'refusal':
        return part.text.trim() ? [{ text: part.text }] : []
      case 'image':
        return writeImage(part)
      case 'file':
        return this.#file(part)
      case 'tool_call':
        return [writeCall(part)]
      case 'tool_result':
        return [this.#result(part)]
      case 'thinking': {
        const signature = ownedBy('bedrock', part.signature)
        if (!signature) return []
        const { value, redacted } = signature
        if (redacted) return [{ reasoningContent: { redactedContent: value } }]
        return [{ reasoningContent: { reasoningText: { text: part.text, signature: value } } }]
      }
      case 'native':
      case 'audio':
        return []
    }
  }

  #file({ source, name = '', context }: FilePart): ConverseBlock[] {
    const type = 'media_type' in source ? (source.media_type ?? '') : ''
    const bytes = bytesOf(source)
    if (bytes === undefined) return []
    const video = entryOf(videos, type)
    if (video) return [{ video: { format: video, source: { bytes } } }]
    const format = entryOf(documents, type.split(';')[0]!.trim()) ?? 'txt'
    return [{ document: { format, name: this.#nameOf(name), source: { bytes }, context: context || undefined } }]
  }

  #nameOf(given: string): string {
    const allowed = given.replaceAll(/[^a-zA-Z0-9\s()[\]-]+/g, ' ')
    const base = allowed.replaceAll(/\s+/g, ' ').trim().slice(0, NAME_MAX) || 'document'
    let name = base
    for (let number = 2; this.#names.has(name); number++) name = `${base} ${number}`
    this.#names.add(name)
    return name
  }

  #result({ id, parts, is_error }: ToolResult): ConverseBlock {
    const content = parts.flatMap(part => this.#blocks(part))
    return {
      toolResult: {
        toolUseId: idOf(id),
        content: content.length ? content : [{ text: PLACEHOLDER }],
        status: is_error && this.traits.result_status ? 'error' : undefined,
      },
    }
  }
}

const NAME_MAX = 180

const writeCall = ({ id, name, arguments: text }: ToolCall): ConverseBlock => ({
  toolUse: { toolUseId: idOf(id), name, input: parsedObject(text) },
})

const ID_MAX = 64

/** The end of an id differs; those of a call and of its result change alike. */
const idOf = (id: string) => id.replaceAll(/[^\w-]/g, '_').slice(-ID_MAX)

/** Base64. */
function bytesOf(source: Source): string | undefined {
  if (source.via === 'base64') return source.data
  return source.via === 'text' ? Buffer.from(source.text, 'utf8').toString('base64') : undefined
}

function writeImage({ source }: ImagePart): ConverseBlock[] {
  if (source.via !== 'base64') return []
  const named = source.media_type.replace(/^image\//, '').replace('jpg', 'jpeg')
  const format = imagePrefixes.find(([prefix]) => source.data.startsWith(prefix))?.[1] ?? named
  return [{ image: { format, source: { bytes: source.data } } }]
}

/** First base64 characters of each type: an image with a wrong format is refused. */
const imagePrefixes: [string, string][] = [
  ['iVBORw0KGgo', 'png'],
  ['/9j/', 'jpeg'],
  ['R0lGOD', 'gif'],
  ['UklGR', 'webp'],
]

const office = 'application/vnd.openxmlformats-officedocument'
const documents: Record<string, string> = {
  'application/pdf': 'pdf',
  'text/csv': 'csv',
  'application/msword': 'doc',
  [`${office}.wordprocessingml.document`]: 'docx',
  'application/vnd.ms-excel': 'xls',
  [`${office}.spreadsheetml.sheet`]: 'xlsx',
  'text/html': 'html',
  'text/markdown': 'md',
}

const videos: Record<string, string> = {
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/x-matroska': 'mkv',
  'video/webm': 'webm',
  'video/x-flv': 'flv',
  'video/mpeg': 'mpeg',
  'video/x-ms-wmv': 'wmv',
  'video/3gpp': 'three_gp',
}
