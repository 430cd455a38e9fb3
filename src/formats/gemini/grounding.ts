/**
 * Reads and writes grounding metadata: a list of web pages, and the bytes of the text that each supports.
 * https://ai.google.dev/gemini-api/docs/google-search (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import type { Citation, TextPart } from '../canonical/chat.ts'
import { numberOf, objectOf, objectsOf, textOf } from '../json/lenient-json.ts'
import type { GeminiChunk, GeminiGrounding, GeminiSupport } from './wire.ts'

export function readGrounding(metadata: Json, text: string): Citation[] {
  const pages = objectsOf(metadata.groundingChunks).map(chunk => {
    const { uri, title } = objectOf(chunk.web ?? chunk.maps ?? chunk.retrievedContext)
    return { url: textOf(uri), title: textOf(title) }
  })
  const supports = objectsOf(metadata.groundingSupports)
  if (!supports.length) return pages.filter(({ url }) => url)
  return supports.flatMap(({ segment, groundingChunkIndices }) => {
    const { startIndex, endIndex } = objectOf(segment)
    const start = characters(text, numberOf(startIndex) ?? 0)
    const end = characters(text, numberOf(endIndex) ?? 0)
    const indices = Array.isArray(groundingChunkIndices) ? groundingChunkIndices : []
    return indices.flatMap(index => (pages[Number(index)]?.url ? { ...pages[Number(index)]!, start, end } : []))
  })
}

/** Citations of `citationMetadata`: passages recited from a source. */
export function readRecitations(metadata: Json, text: string): Citation[] {
  return objectsOf(metadata.citations ?? metadata.citationSources).flatMap(({ uri, title, startIndex, endIndex }) => {
    if (!textOf(uri)) return []
    const [start, end] = [numberOf(startIndex) ?? 0, numberOf(endIndex)]
    const range = { start: characters(text, start), end: end === undefined ? undefined : characters(text, end) }
    return [{ url: textOf(uri), title: textOf(title), ...range }]
  })
}

/** Grounding is billed by search query. */
export const searchesIn = ({ webSearchQueries }: Json): number => lengthOf(webSearchQueries)

const searchTools = new Set<unknown>(['GOOGLE_SEARCH_WEB', 'GOOGLE_SEARCH_IMAGE'])

/** @returns the search queries of a call of Google's own tools */
export const queriesIn = ({ toolType, args }: Json): number =>
  searchTools.has(toolType) ? Math.max(1, lengthOf(objectOf(args).queries)) : 0

const lengthOf = (list: unknown) => (Array.isArray(list) ? list.length : 0)

/** Segment indices count UTF-8 bytes; canonical positions count characters. */
const characters = (text: string, bytes: number) => Buffer.from(text, 'utf8').subarray(0, bytes).toString('utf8').length

const bytesOf = (text: string, end: number) => Buffer.byteLength(text.slice(0, end), 'utf8')

/** @returns undefined when no text cites a web page */
export function writeGrounding(texts: TextPart[]): GeminiGrounding | undefined {
  const all = texts.map(({ text }) => text).join('')
  const urls: string[] = []
  const groundingChunks: GeminiChunk[] = []
  const groundingSupports: GeminiSupport[] = []
  let offset = 0
  for (const { text, citations = [] } of texts) {
    for (const { url, title, start = 0, end = text.length } of citations) {
      if (!url) continue
      if (!urls.includes(url)) {
        urls.push(url)
        groundingChunks.push({ web: { uri: url, title } })
      }
      const [from, to] = [offset + start, offset + end]
      const segment = { startIndex: bytesOf(all, from), endIndex: bytesOf(all, to), text: all.slice(from, to) }
      groundingSupports.push({ segment, groundingChunkIndices: [urls.indexOf(url)] })
    }
    offset += text.length
  }
  return urls.length ? { groundingChunks, groundingSupports } : undefined
}
