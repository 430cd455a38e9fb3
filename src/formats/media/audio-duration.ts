/** The duration of a recording. */
import { secondsOfBlocks } from './opus-duration.ts'

/** Used when the file does not say its duration: the lowest rate of MP3, so that no recording is longer than billed. */
const LEAST_BYTES_PER_SECOND = 1000
/** No audio format takes more: a shorter duration than this gives is not believed. */
const BYTES_PER_SECOND_MAX = 1_200_000
/** Reading stops after this time: looking for a frame at every byte of a strange file would take minutes. */
const READ_TIMEOUT_MS = 10_000

interface Recording {
  /** The bytes, from the beginning at each call. */
  content(): ReadableStream<Uint8Array>
  size: number
  type: string
  filename: string
  /** Milliseconds since the reading began. */
  elapsed(): number
}

/** @returns the seconds that the file states or its blocks last, else the most that its size can hold; never throws */
export async function secondsOf({ content, size, type, filename, elapsed }: Recording): Promise<number> {
  const { parseWebStream } = await import('music-metadata')
  const info = { size, path: filename, ...(type.includes('/') && { mimeType: type }) }
  const bytes = untilTimeout(content(), elapsed)
  const stated = await parseWebStream(bytes, info, { duration: true, skipCovers: true }).then(
    ({ format }) => format.duration,
    () => undefined,
  )
  await bytes.cancel().catch(() => {})
  const blocks = untilTimeout(content(), elapsed)
  const counted = (await secondsOfBlocks(blocks).catch(() => undefined)) ?? 0
  await blocks.cancel().catch(() => {})
  const least = size / BYTES_PER_SECOND_MAX
  const believed = stated !== undefined && Number.isFinite(stated) && stated >= least ? stated : 0
  return Math.max(counted >= least ? counted : 0, believed) || size / LEAST_BYTES_PER_SECOND
}

/** Fails at the timeout, so that half of a recording does not pass for all of it. */
function untilTimeout(content: ReadableStream<Uint8Array>, elapsed: () => number): ReadableStream<Uint8Array> {
  const reader = content.getReader()
  return new ReadableStream(
    {
      async pull(controller) {
        if (elapsed() > READ_TIMEOUT_MS) throw new Error('too long')
        const { value, done } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: () => reader.cancel(),
    },
    { highWaterMark: 0 },
  )
}
