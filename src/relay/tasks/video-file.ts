/** A file as it is handed on: its headers, its bytes, and ranges of a data URL. */
import { env } from '../../env.ts'
import { sourceOf } from '../../formats/media/data-url.ts'
import { PacedBody } from '../../net/fast-bodies.ts'
import { type ChunkReader, readChunks } from '../../net/upstream-fetch.ts'
import { BodyAborted, bodyStream } from '../../stream/body-stream.ts'
import { ClientConnection } from '../../stream/client-connection.ts'
import type { RelayContext } from '../endpoint.ts'

const FILE_BYTES_MAX = 2 * 1024 * 1_048_576
const CACHE = 'private, max-age=86400'
const USUAL_TYPE = 'video/mp4'

const files = /^(?:video\/|image\/|application\/octet-stream\s*(?:;|$)|binary\/octet-stream)/i

/** A page, or an error in JSON, is no file. */
export const isFileType = (headers: Headers): boolean => {
  const type = headers.get('content-type')
  return (type === null || files.test(type)) && Number(headers.get('content-length') ?? 0) <= FILE_BYTES_MAX
}

/** Headers of a maker that pass. */
const passing = ['content-length', 'content-range', 'accept-ranges', 'etag', 'last-modified']

export function fileHeaders(headers: Headers, name: string): Record<string, string> {
  const own = headers.get('content-type') ?? ''
  const type = /^(?:video|image)\/[\w.+-]+/i.exec(own)?.[0] ?? USUAL_TYPE
  const passed = passing.flatMap(header => {
    const value = headers.get(header)
    return value === null ? [] : [[header, value] as const]
  })
  return { ...Object.fromEntries(passed), ...described(type, name) }
}

const described = (type: string, name: string): Record<string, string> => ({
  'content-type': type,
  'content-disposition': `inline; filename="${name}.${extensionOf(type)}"`,
  'cache-control': CACHE,
})

const extensionOf = (type: string) => type.slice(type.indexOf('/') + 1).replace(/[^\w]/g, '') || 'mp4'

/** Passes as it comes, no faster than the client reads. */
export function streamed(
  response: Response,
  abort: AbortController,
  { request, server }: RelayContext,
  user_id: number,
) {
  const pace = new PacedBody(user_id)
  const chunks = readChunks(response, abort, env.STREAM_IDLE_TIMEOUT * 1000, pace)
  const connection = new ClientConnection(request, server)
  connection.hold()
  return bodyStream({ next: limited(chunks, abort), cancelled: () => abort.abort() }, connection, user_id)
}

function limited(chunks: ChunkReader, abort: AbortController) {
  let size = 0
  return async () => {
    const chunk = await chunks.next().catch(() => {
      throw new BodyAborted()
    })
    size += chunk?.byteLength ?? 0
    if (size <= FILE_BYTES_MAX) return chunk
    abort.abort()
    throw new BodyAborted()
  }
}

/** The content of a data URL, or the range of it that is asked for. */
export function dataResponse({ headers }: Request, url: string, own: Record<string, string>): Response {
  const source = sourceOf(url)
  const { media_type, data } = source.via === 'base64' ? source : { media_type: USUAL_TYPE, data: '' }
  const bytes = Buffer.from(data, 'base64')
  const type = files.test(media_type) ? media_type : USUAL_TYPE
  const sent = { ...own, ...described(type, 'video'), 'accept-ranges': 'bytes' }
  const range = rangeIn(headers.get('range'), bytes.length)
  if (!range) return new Response(bytes, { headers: sent })
  const { from, to } = range
  if (from > to)
    return new Response(null, { status: 416, headers: { ...own, 'content-range': `bytes */${bytes.length}` } })
  const content_range = { 'content-range': `bytes ${from}-${to}/${bytes.length}` }
  return new Response(bytes.subarray(from, to + 1), { status: 206, headers: { ...sent, ...content_range } })
}

/** One range of bytes, both ends included. @returns undefined for none, and for what is no range */
function rangeIn(header: string | null, size: number): { from: number; to: number } | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === undefined || (first === '' && last === '')) return undefined
  if (first === '') return { from: Math.max(0, size - Number(last)), to: size - 1 }
  return { from: Number(first), to: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}
