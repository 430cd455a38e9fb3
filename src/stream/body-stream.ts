/** A response body that is produced on demand and reports its end once. */
import { log, reason } from '../process/log.ts'
import type { ClientConnection } from './client-connection.ts'
import { idleTimeout } from './idle-timeout.ts'

/** Aborts the connection when a body cannot be completed: the status has already been sent. */
export class BodyAborted extends Error {}

export interface BodySource {
  /** The next chunk; undefined at the end. Called when the client has room for one. @throws BodyAborted */
  next(): Promise<Uint8Array | undefined>
  /** The client left, was idle for too long, or the source failed. Called at most once. */
  cancelled(): void
}

/**
 * Reads nothing ahead: a slow client slows down the source.
 * @param connection its timeout is reset at the end; it is closed when the client reads nothing for `idle_ms`
 */
export function bodyStream(
  source: BodySource,
  connection: ClientConnection,
  idle_ms: number,
): ReadableStream<Uint8Array> {
  let isOver = false
  const idle = idleTimeout(idle_ms, () => {
    cancel()
    connection.close()
  })
  const end = () => {
    isOver = true
    idle.stop()
    connection.idle()
  }
  function cancel() {
    if (isOver) return
    end()
    source.cancelled()
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (isOver) return controller.error(new BodyAborted())
        idle.pause()
        try {
          const chunk = await source.next()
          if (isOver) return
          if (chunk) {
            idle.start()
            return controller.enqueue(chunk)
          }
          end()
          controller.close()
        } catch (error) {
          end()
          controller.error(error)
          if (error instanceof BodyAborted) return
          log.error('bug: a stream failed', { reason: reason(error) })
          source.cancelled()
        }
      },
      cancel,
    },
    { highWaterMark: 0 },
  )
}
