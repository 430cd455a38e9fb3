/** A body that is made as it is read, and says once how it ended. */

import { log, reason } from '../process/log.ts'
import type { Connection } from './client-connection.ts'
import { silenceOf } from './idle-timeout.ts'

/** Thrown where a show ends before its end: the connection is broken off, for want of any other way to say so. */
export class CutOff extends Error {}

export interface Show {
  /** The next piece; nothing when there is no more. Called only when there is room for one. */
  next(): Promise<Uint8Array | undefined>
  /** The reader has left, or has long had no room for more, or nothing more can be made. Called at most once. */
  left(): void
}

/**
 * Nothing is read ahead: whoever reads slowly slows down whoever writes.
 * @param connection let go at the end, and closed on a reader who has taken nothing for `idle_ms`
 */
export function watch(show: Show, connection: Connection, idle_ms: number): ReadableStream<Uint8Array> {
  let over = false
  const silence = silenceOf(idle_ms, () => {
    leave()
    connection.close()
  })
  const end = () => {
    over = true
    silence.over()
    connection.rest()
  }
  function leave() {
    if (over) return
    end()
    show.left()
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (over) return controller.error(new CutOff())
        silence.ends()
        try {
          const piece = await show.next()
          if (over) return
          if (piece) {
            silence.begins()
            return controller.enqueue(piece)
          }
          end()
          controller.close()
        } catch (error) {
          end()
          controller.error(error)
          if (error instanceof CutOff) return
          log.error('bug: a stream failed', { reason: reason(error) })
          show.left()
        }
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  )
}
