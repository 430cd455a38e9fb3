/** Reads request bodies with a size limit that is checked before and while reading. */
import { Refusal } from '../contracts/refusal.ts'

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
const strict = new TextDecoder('utf-8', { fatal: true })

/**
 * @param onBytes gets the size of each chunk of a body whose length is not announced; what it throws ends the reading
 * @throws Refusal 413 above `max_mb`, before reading when the length is announced
 */
export async function readBytes(
  request: Request,
  max_mb: number,
  onBytes?: (bytes: number) => void,
): Promise<Uint8Array> {
  const max_bytes = max_mb * MEGABYTE
  const tooLarge = () => new Refusal('error.too_large', { limit: max_mb }, 413)
  const announced = request.headers.get('content-length')
  if (Number(announced ?? 0) > max_bytes) throw tooLarge()
  // The server reads no more than the announced length.
  if (announced !== null) return request.bytes()
  if (!request.body) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body) {
    size += chunk.byteLength
    if (size > max_bytes) throw tooLarge()
    onBytes?.(chunk.byteLength)
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
