/** A file as it is handed on: its headers, its bytes, and the range of it that is asked for. */
import type { FileKind, KeptFile, TaskFile } from '../../contracts/task.ts'
import { readResult, type TaskRow } from '../../domain/tasks/index.ts'
import { env } from '../../env.ts'
import { PacedBody } from '../../net/fast-bodies.ts'
import { type ChunkReader, readBody, readChunks } from '../../net/upstream-fetch.ts'
import { endingOf, FILE_BYTES_MAX, typeOfFile } from '../../providers/index.ts'
import { BodyAborted, bodyStream } from '../../stream/body-stream.ts'
import { ClientConnection } from '../../stream/client-connection.ts'
import type { RelayContext } from '../endpoint.ts'
import { unusableResponse } from '../errors/classify-error.ts'

const MS_PER_SECOND = 1000
const PICTURE_TIMEOUT_MS = 60_000

type HeaderFields = Record<string, string>

/** Headers of a maker that pass. */
const passing = ['content-length', 'content-range', 'accept-ranges', 'etag', 'last-modified']

export const passedHeaders = (headers: Headers): HeaderFields =>
  Object.fromEntries(
    passing.flatMap(name => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )

/** A browser shows the file and runs nothing of it. */
export const describedFile = (
  { task_id, status }: TaskRow,
  { name }: Pick<TaskFile, 'name'>,
  type: string,
): HeaderFields => ({
  'content-type': type,
  'content-disposition': `inline; filename="${titleOf(task_id, name)}.${endingOf(type)}"`,
  'content-security-policy': "default-src 'none'; sandbox",
  // A picture that is being drawn changes.
  'cache-control': status === 'SUCCESS' ? 'private, max-age=86400' : 'no-store',
})

const titleOf = (task_id: string, name: string) => (/^(?:image|video)$/.test(name) ? task_id : `${task_id}-${name}`)

interface StreamedFile {
  context: RelayContext
  user_id: number
  kind: FileKind
  abort: AbortController
}

/** Passes as it comes, no faster than the client reads. @throws Fault 502 for what is no file of its kind, NetworkError */
export async function streamed(
  response: Response,
  { context: { request, server }, user_id, kind, abort }: StreamedFile,
): Promise<{ type: string; body: ReadableStream<Uint8Array> }> {
  const { headers, status } = response
  if (Number(headers.get('content-length') ?? 0) > FILE_BYTES_MAX[kind]) throw unusableResponse()
  const chunks = readChunks(response, abort, env.STREAM_IDLE_TIMEOUT * MS_PER_SECOND, new PacedBody(user_id))
  const first = await chunks.next()
  // A part from within a file may begin with anything.
  const start = status === PARTIAL ? new Uint8Array() : (first ?? new Uint8Array())
  const type = typeOfFile(kind, headers.get('content-type'), start)
  if (type === undefined) throw unusableResponse()
  const connection = new ClientConnection(request, server)
  connection.hold()
  const next = limited(behind(first, chunks), FILE_BYTES_MAX[kind], abort)
  return { type, body: bodyStream({ next, cancelled: () => abort.abort() }, connection, user_id) }
}

const PARTIAL = 206

function behind(first: Uint8Array | undefined, chunks: ChunkReader): () => Promise<Uint8Array | undefined> {
  let head = first
  let isOver = first === undefined
  return async () => {
    if (isOver) return undefined
    const chunk = head ?? (await chunks.next())
    head = undefined
    isOver = chunk === undefined
    return chunk
  }
}

function limited(read: () => Promise<Uint8Array | undefined>, max_bytes: number, abort: AbortController) {
  let size = 0
  return async () => {
    const chunk = await read().catch(() => {
      throw new BodyAborted()
    })
    size += chunk?.byteLength ?? 0
    if (size <= max_bytes) return chunk
    abort.abort()
    throw new BodyAborted()
  }
}

/** A whole picture, by its own bytes. @throws Fault 502 for any other file, NetworkError for one above 64 MB */
export async function pictureIn(response: Response, abort: AbortController) {
  const bytes = await readBody(response, abort, { max_bytes: FILE_BYTES_MAX.image, body_ms: PICTURE_TIMEOUT_MS })
  return { type: response.headers.get('content-type') ?? '', bytes }
}

interface Content {
  /** By the maker's word. */
  type: string
  bytes: Uint8Array<ArrayBuffer>
  own: HeaderFields
}

/** Bytes that are all there. @throws Fault 502 for what is no file of its kind */
export function ofBytes({ headers }: Request, task: TaskRow, file: TaskFile, { type: named, bytes, own }: Content) {
  const type = typeOfFile(file.kind, named || null, bytes)
  if (type === undefined) throw unusableResponse()
  const sent = { ...own, ...describedFile(task, file, type) }
  return partOf(headers.get('range'), bytes.length, sent, ({ from, to }) => bytes.subarray(from, to + 1))
}

/** A copy. */
export function keptFile(
  { request, server }: RelayContext,
  task: TaskRow,
  { key, type, bytes, name }: KeptFile,
  own: HeaderFields,
): Response {
  const sent = { ...own, ...describedFile(task, { name }, type) }
  const connection = new ClientConnection(request, server)
  return partOf(request.headers.get('range'), bytes, sent, ({ from, to }) => {
    const reader = readResult(key, from, to).getReader()
    connection.hold()
    const next = () =>
      reader.read().then(
        ({ value }) => value,
        () => {
          throw new BodyAborted()
        },
      )
    return bodyStream({ next, cancelled: () => void reader.cancel().catch(() => {}) }, connection, task.user_id)
  })
}

interface Part {
  from: number
  /** Included. */
  to: number
}

/** The range that is asked for, or all. */
function partOf(
  header: string | null,
  size: number,
  sent: HeaderFields,
  body: (part: Part) => Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
): Response {
  const headers = { ...sent, 'accept-ranges': 'bytes' }
  const range = rangeIn(header, size)
  const { from, to } = range ?? { from: 0, to: size - 1 }
  if (range && from > to) return unfit(headers, `bytes */${size}`)
  const length = { 'content-length': String(to - from + 1) }
  if (!range) return new Response(body({ from, to }), { headers: { ...headers, ...length } })
  const content_range = { 'content-range': `bytes ${from}-${to}/${size}` }
  return new Response(body({ from, to }), { status: PARTIAL, headers: { ...headers, ...length, ...content_range } })
}

/** No part of the file is within the range. */
export function unfit(
  { 'content-type': _, 'content-disposition': __, ...own }: HeaderFields,
  range: string | null,
): Response {
  const headers = { ...own, 'cache-control': 'no-store', ...(range !== null && { 'content-range': range }) }
  return new Response(null, { status: 416, headers })
}

/** One range of bytes. @returns undefined for none, and for what is no range */
function rangeIn(header: string | null, size: number): Part | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === undefined || (first === '' && last === '')) return undefined
  if (first === '') return { from: Math.max(0, size - Number(last)), to: size - 1 }
  return { from: Number(first), to: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}
