/** Encodes a large JSON body in steps, between which other calls run. */
import { nextTurn } from '../../process/next-turn.ts'
import type { EncodedBody } from '../../providers/index.ts'
import type { Json } from '../../pure/json.ts'
import { writeJson } from '../../pure/json-writer.ts'

/** @returns a stream whose chunks are freed as they are read */
export async function encodeLarge(body: Json): Promise<EncodedBody> {
  const chunks: Buffer[] = []
  let length = 0
  for (const text of writeJson(body)) {
    const chunk = Buffer.from(text)
    length += chunk.length
    chunks.push(chunk)
    if (chunk.length > 1) await nextTurn()
  }
  return { headers: { 'content-type': 'application/json', 'content-length': String(length) }, body: streamOf(chunks) }
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
