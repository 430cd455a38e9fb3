/** A body that is made as it is read, and says once how it ended. */

import { log, reason } from '../process/log.ts'
import type { ClientConnection } from './client-connection.ts'
import { idleTimeout } from './idle-timeout.ts'

/** Thrown where a show ends before its end: the connection is broken off, for want of any other way to say so. */
export class BodyAborted extends Error {}

export interface BodySource {
  /** The next piece; nothing when there is no more. Called only when there is room for one. */
  next(): Promise<Uint8Array | undefined>
  /** The reader has left, or has long had no room for more, or nothing more can be made. Called at most once. */
  cancelled(): void
}

/**
 * Nothing is read ahead: whoever reads slowly slows down whoever writes.
 * @param connection let go at the end, and closed on a reader who has taken nothing for `idle_ms`
 */
export function bodyStream(
  show: BodySource,
  connection: ClientConnection,
  idle_ms: number,
): ReadableStream<Uint8Array> {
  let over = false
  const silence = idleTimeout(idle_ms, () => {
    leave()
    connection.close()
  })
  const end = () => {
    over = true
    silence.stop()
    connection.idle()
  }
  function leave() {
    if (over) return
    end()
    show.cancelled()
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (over) return controller.error(new BodyAborted())
        silence.pause()
        try {
          const piece = await show.next()
          if (over) return
          if (piece) {
            silence.start()
            return controller.enqueue(piece)
          }
          end()
          controller.close()
        } catch (error) {
          end()
          controller.error(error)
          if (error instanceof BodyAborted) return
          log.error('bug: a stream failed', { reason: reason(error) })
          show.cancelled()
        }
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  )
}
