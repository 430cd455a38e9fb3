/** Reads request bodies with a size limit that is checked before and while reading. */
import { Refusal } from '../contracts/refusal.ts'
import { env } from '../env.ts'
import { arriving, smallBody } from './arriving-body.ts'
import type { BodyShare } from './body-budget.ts'

/** A body that could not be read. `checkBody` throws its error after the guard, so that 401 and 403 come first. */
export class UnreadableBody {
  constructor(readonly error: unknown) {}
}

/** @returns what `read` returns, or its error as an `UnreadableBody`. */
export const readOrDefer = (read: () => Promise<unknown>): Promise<unknown> =>
  read().catch(error => new UnreadableBody(error))

/** @throws the error with which the body could not be read. */
export function checkBody(body: unknown) {
  if (body instanceof UnreadableBody) throw body.error
}

const MEGABYTE = 1_048_576
/** Announced sizes up to this one are read at once. */
const SMALL_BYTES = 65_536
const strict = new TextDecoder('utf-8', { fatal: true })

export const tooLarge = (limit = env.MAX_REQUEST_MB) => new Refusal('error.too_large', { limit }, 413)

/** @returns 0 for a length that is not announced. @throws Refusal 413 */
export function announcedBytes({ headers }: Pick<Request, 'headers'>, max_mb = env.MAX_REQUEST_MB): number {
  const announced = Number(headers.get('content-length') ?? 0)
  if (announced > max_mb * MEGABYTE) throw tooLarge(max_mb)
  return announced
}

/**
 * @param share is held while the body is: it grows by what has come
 * @throws Refusal 413 above `max_mb`, before reading when the length is announced; 408 for a body that comes too slowly;
 * 503 when the body budget is spent
 */
export function readBytes(request: Request, max_mb: number, share: BodyShare): Promise<Uint8Array> {
  const announced = announcedBytes(request, max_mb)
  // The server reads no more than the announced length.
  return announced && announced <= SMALL_BYTES
    ? smallBody(request)
    : readArriving(request, { announced, max_mb, share })
}

interface ArrivingBody {
  announced: number
  max_mb: number
  share: BodyShare
}

async function readArriving(request: Request, { announced, max_mb, share }: ArrivingBody): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of arriving(request, announced)) {
    size += chunk.byteLength
    if (size > max_mb * MEGABYTE) throw tooLarge(max_mb)
    share.grow(chunk.byteLength)
    chunks.push(chunk)
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}

/** @throws Refusal 400 for broken UTF-8. */
export function decode(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes)
  } catch {
    throw new Refusal('error.invalid_text', {}, 400)
  }
}

/**
 * @param checks_text false leaves the check of texts to the caller
 * @throws Refusal 400 for malformed JSON, lone surrogates, U+0000 (which PostgreSQL cannot hold).
 */
export function parseJson(text: string, { checks_text = true } = {}): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Refusal('error.invalid_json', {}, 400)
  }
  if (checks_text && /\\u(d[89a-f]|0000)/i.test(text) && !isStorable(value))
    throw new Refusal('error.invalid_text', {}, 400)
  return value
}

const DEPTH_MAX = 200

/** Whether both engines can store every string in a JSON value. */
function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value !== 'object' || value === null) return true
  if (depth > DEPTH_MAX) return false
  return Object.entries(value).every(([key, item]) => isStorable(key, depth) && isStorable(item, depth + 1))
}
