/** Reads a request body and inflates it off the event loop, within MAX_REQUEST_MB. */
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import { Refusal } from '../../contracts/refusal.ts'
import { env } from '../../env.ts'
import { readBytes } from '../../web/read-body.ts'

const inflaters: Record<string, (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
  deflate: promisify(inflate),
}

const MEGABYTE = 1_048_576

/** @throws Refusal 413 for too much, 415 for an unknown encoding, 400 for a body that is not in its encoding. */
export async function readInflated(request: Request): Promise<Uint8Array> {
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() || 'identity'
  if (encoding === 'identity') return readBytes(request, env.MAX_REQUEST_MB)
  const inflater = Object.hasOwn(inflaters, encoding) ? inflaters[encoding] : undefined
  if (!inflater) throw new Refusal('relay.encoding_unknown', { encoding: encoding.slice(0, 40) }, 415)
  const bytes = await readBytes(request, env.MAX_REQUEST_MB)
  try {
    return await inflater(bytes, { maxOutputLength: env.MAX_REQUEST_MB * MEGABYTE })
  } catch (error) {
    const tooLarge = (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
    if (tooLarge) throw new Refusal('error.too_large', { limit: env.MAX_REQUEST_MB }, 413)
    throw new Refusal('relay.encoding_broken', { encoding }, 400)
  }
}
