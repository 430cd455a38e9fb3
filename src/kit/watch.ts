/** A body that is made as it is read, and says once how it ended. */
import { log, reason } from './log.ts'

/** Thrown where a show ends before its end: the connection is broken off, for want of any other way to say so. */
export class CutOff extends Error {}

export interface Show {
  /** The next piece; nothing when there is no more. Called only when there is room for one. */
  next(): Promise<Uint8Array | undefined>
  /** The reader has left. Called at most once, and not after the end. */
  left(): void
}

/** Nothing is read ahead: whoever reads slowly slows down whoever writes. */
export function watch(show: Show): ReadableStream<Uint8Array> {
  let over = false
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const piece = await show.next()
          if (over) return
          if (piece) return controller.enqueue(piece)
          over = true
          controller.close()
        } catch (error) {
          if (!(error instanceof CutOff)) log.error('bug: a stream failed', { reason: reason(error) })
          over = true
          controller.error(error)
        }
      },
      cancel() {
        if (over) return
        over = true
        show.left()
      },
    },
    { highWaterMark: 0 },
  )
}
