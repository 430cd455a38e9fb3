/** How long a recording is. */
import { stopwatch } from '../../process/clock.ts'

/** Where nothing else is known: what speech mostly takes, and the least and most that any format does. */
const USUAL_BYTES_PER_SECOND = 16_000
const MOST_BYTES_PER_SECOND = 1_200_000
/** What takes longer to look through is made to: looking for a frame at every byte of it would take minutes. */
const PATIENCE_MS = 10_000

interface Recording {
  content: ReadableStream<Uint8Array>
  size: number
  type: string
  filename: string
}

/** Seconds, by what the file says of itself, else by its size. Never throws: what cannot be read can still be heard. */
export async function secondsOf({ content, size, type, filename }: Recording): Promise<number> {
  const { parseWebStream } = await import('music-metadata')
  const info = { size, path: filename, ...(type.includes('/') && { mimeType: type }) }
  const heard = untilLate(content)
  const told = await parseWebStream(heard, info, { duration: true, skipCovers: true }).then(
    ({ format }) => format.duration,
    () => undefined,
  )
  await heard.cancel().catch(() => {})
  const least = size / MOST_BYTES_PER_SECOND
  return told !== undefined && Number.isFinite(told) && told >= least
    ? told
    : Math.max(least, size / USUAL_BYTES_PER_SECOND)
}

/** Breaks when it has been read for too long: half of a recording must not pass for all of it. */
function untilLate(content: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = content.getReader()
  const elapsed = stopwatch()
  return new ReadableStream(
    {
      async pull(controller) {
        if (elapsed() > PATIENCE_MS) throw new Error('too long')
        const { value, done } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: () => reader.cancel(),
    },
    { highWaterMark: 0 },
  )
}
