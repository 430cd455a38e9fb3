/** Reads a request body and inflates it as it arrives, off the event loop, within MAX_REQUEST_MB and the body budget. */
import type { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { Refusal } from '../../contracts/refusal.ts'
import { env } from '../../env.ts'
import { arriving } from '../../web/arriving-body.ts'
import type { BodyShare } from '../../web/body-budget.ts'
import { announcedBytes, readBytes, tooLarge } from '../../web/read-body.ts'

const inflaters: Record<string, (options: { chunkSize: number }) => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
  deflate: createInflate,
}

const MEGABYTE = 1_048_576
const CHUNK_BYTES = 65_536
/** Inflated bytes per compressed byte, and the inflated size from which that counts: short repetitive texts pass. */
const RATIO_MAX = 100
const RATIO_MIN_BYTES = MEGABYTE

/** @throws Refusal 413 for too much, 415 for an unknown encoding, 400 for a body that is not in its encoding, 503 when the budget is spent. */
export function readInflated(request: Request, share: BodyShare): Promise<Uint8Array> {
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() || 'identity'
  if (encoding === 'identity') return readBytes(request, env.MAX_REQUEST_MB, share)
  const inflater = Object.hasOwn(inflaters, encoding) ? inflaters[encoding] : undefined
  if (!inflater) throw new Refusal('relay.encoding_unknown', { encoding: encoding.slice(0, 40) }, 415)
  return readCompressed(request, { encoding, inflater: inflater({ chunkSize: CHUNK_BYTES }), share })
}

interface CompressedBody {
  encoding: string
  inflater: Transform
  share: BodyShare
}

async function readCompressed(request: Request, { encoding, inflater, share }: CompressedBody): Promise<Uint8Array> {
  try {
    return await inflated(request, inflater, share)
  } catch (error) {
    if (error instanceof Refusal || request.signal.aborted) throw error
    throw new Refusal('relay.encoding_broken', { encoding }, 400)
  }
}

/** Holds the inflated bytes alone; an error anywhere ends reading and inflating at once. */
async function inflated(request: Request, inflater: Transform, share: BodyShare): Promise<Uint8Array> {
  const max_bytes = env.MAX_REQUEST_MB * MEGABYTE
  const announced = announcedBytes(request)
  const chunks: Buffer[] = []
  let compressed = 0
  let size = 0
  async function* compressedChunks() {
    for await (const chunk of arriving(request, announced)) {
      compressed += chunk.byteLength
      if (compressed > max_bytes) throw tooLarge()
      yield chunk
    }
  }
  await pipeline(compressedChunks, inflater, async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      size += chunk.length
      if (size > max_bytes) throw tooLarge()
      if (size > RATIO_MIN_BYTES && size > RATIO_MAX * compressed)
        throw new Refusal('relay.inflates_too_much', { ratio: RATIO_MAX }, 413)
      share.grow(chunk.length)
      chunks.push(chunk)
    }
  })
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}
