/** Copies one file of a task to where results are kept. */
import type { FileKind, KeptFile, TaskFile } from '../../contracts/task.ts'
import { env } from '../../env.ts'
import { NetworkError, readChunks } from '../../net/upstream-fetch.ts'
import { dataIn, endingOf, FILE_BYTES_MAX, typeOfFile } from '../../providers/index.ts'
import { openFile } from './open-file.ts'
import { writeResult } from './results-store.ts'
import type { TaskRow } from './table.ts'

const MS_PER_SECOND = 1000
const DAY_MS = 86_400_000

/** @throws Error for what is no file of its kind, is too large, or cannot be fetched or written */
export async function copyFile(task: TaskRow, file: TaskFile, signal: AbortSignal): Promise<KeptFile> {
  const abort = new AbortController()
  const stop = () => abort.abort(signal.reason)
  signal.addEventListener('abort', stop)
  try {
    const { type, chunks } = await contentOf(task, file, abort)
    const key = `${folderOf(task)}/${task.task_id}-${file.name}.${endingOf(type)}`
    const bytes = await writeResult(key, type, limited(chunks, file.kind))
    return { name: file.name, key, type, bytes }
  } finally {
    abort.abort()
    signal.removeEventListener('abort', stop)
  }
}

/** A folder holds the tasks of a day. */
const folderOf = ({ submit_ms }: TaskRow): string => String(Math.floor(submit_ms / DAY_MS))

interface Content {
  type: string
  chunks: AsyncIterable<Uint8Array>
}

async function contentOf(task: TaskRow, file: TaskFile, abort: AbortController): Promise<Content> {
  const data = dataIn(file)
  if (data) return { type: checked(typeOfFile(file.kind, data.type, data.bytes)), chunks: only(data.bytes) }
  const response = await openFile(task, file, { abort })
  if (!response?.ok) throw new Error(`status ${response?.status ?? 'of a channel that is gone'}`)
  const reader = readChunks(response, abort, env.STREAM_IDLE_TIMEOUT * MS_PER_SECOND)
  const first = await reader.next()
  const type = checked(typeOfFile(file.kind, response.headers.get('content-type'), first ?? new Uint8Array()))
  return { type, chunks: behind(first, reader) }
}

function checked(type: string | undefined): string {
  if (type === undefined) throw new Error('no file of its kind')
  return type
}

async function* only(bytes: Uint8Array) {
  yield bytes
}

async function* behind(first: Uint8Array | undefined, reader: ReturnType<typeof readChunks>) {
  for (let chunk = first; chunk; chunk = await reader.next()) yield chunk
}

async function* limited(chunks: AsyncIterable<Uint8Array>, kind: FileKind) {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.byteLength
    if (size > FILE_BYTES_MAX[kind]) throw new NetworkError('too_large')
    yield chunk
  }
}
