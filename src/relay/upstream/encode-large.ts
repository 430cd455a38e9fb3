/** Encodes a large JSON body in steps, between which other calls run. */
import { createHash } from 'node:crypto'
import { nextTurn } from '../../process/next-turn.ts'
import type { EncodedBody } from '../../providers/index.ts'
import type { Json } from '../../pure/json.ts'
import { writeJson } from '../../pure/json-writer.ts'

/**
 * @param isSigned names the SHA-256 of the bytes as well
 * @returns a stream whose chunks are freed as they are read
 */
export async function encodeLarge(body: Json, isSigned = false): Promise<EncodedBody> {
  const hash = isSigned ? createHash('sha256') : undefined
  const chunks: Buffer[] = []
  let length = 0
  for (const text of writeJson(body)) {
    const chunk = Buffer.from(text)
    length += chunk.length
    hash?.update(chunk)
    chunks.push(chunk)
    if (chunk.length > 1) await nextTurn()
  }
  const headers = { 'content-type': 'application/json', 'content-length': String(length) }
  return { headers, body: streamOf(chunks), sha256: hash?.digest('hex') }
}

const streamOf = (chunks: Buffer[]): ReadableStream<Uint8Array> => {
  chunks.reverse()
  return new ReadableStream(
    {
      pull(controller) {
        const chunk = chunks.pop()
        if (chunk) controller.enqueue(chunk)
        else controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}
