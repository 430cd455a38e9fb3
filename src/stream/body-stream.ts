/** A response body that is produced on demand and reports its end once. */
import { stopwatch } from '../process/clock.ts'
import { log, reason } from '../process/log.ts'
import type { ClientConnection } from './client-connection.ts'
import { forgetReader, TICK_MS, type WrittenReader, watchReader } from './stalled-readers.ts'

/** Aborts the connection when a body cannot be completed: the status has already been sent. */
export class BodyAborted extends Error {}

export interface BodySource {
  /** Its one chunk is all there is. */
  readonly isWhole?: true
  /** The next chunk; undefined at the end. Called when the client has room for one. @throws BodyAborted */
  next(): Promise<Uint8Array | undefined>
  /** The client left, read nothing for too long, or the source failed. Called at most once. */
  cancelled(): void
}

/** Bytes that are written before the client has taken the last ones: the server holds what the socket does not take. */
const PIECE_BYTES = 65_536
/** What Bun 1.4 has read of a fast upstream before it stops: 256 KB twice, and what the last reads brought beyond. */
const AHEAD_BYTES = 2 * 1_048_576

/**
 * Reads nothing ahead: a slow client slows down the source.
 * @param connection its timeout is reset at the end; it is closed when the client does not read
 */
export const bodyStream = (source: BodySource, connection: ClientConnection, user_id: number) =>
  new ReadableStream<Uint8Array>(new WrittenBody(source, connection, user_id), { highWaterMark: 0 })

/** Bytes that are all there. */
export function bytesSource(bytes: Uint8Array): BodySource {
  let left: Uint8Array | undefined = bytes
  return {
    isWhole: true,
    async next() {
      const chunk = left
      left = undefined
      return chunk
    },
    cancelled() {},
  }
}

class WrittenBody implements WrittenReader {
  waited_ticks = -1
  #written_bytes = 0
  readonly #lived_ms = stopwatch()
  /** Rest of a chunk that is larger than a piece. */
  #rest: Uint8Array | undefined
  #isOver = false
  #isWatched = false

  constructor(
    private readonly source: BodySource,
    private readonly connection: ClientConnection,
    readonly user_id: number,
  ) {}

  get isWhole(): boolean | undefined {
    return this.source.isWhole
  }

  /** What is read ahead is estimated by how fast the body came before. */
  get waiting_bytes(): number {
    const waited_ms = this.waited_ticks * TICK_MS
    const bytes_per_ms = this.#written_bytes / Math.max(TICK_MS, this.#lived_ms() - waited_ms)
    return Math.min(AHEAD_BYTES, bytes_per_ms * waited_ms) + PIECE_BYTES + (this.#rest?.byteLength ?? 0)
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
    if (this.#isOver) return controller.error(new BodyAborted())
    // A response in the background has no socket: the process itself reads it.
    if (!this.#isWatched && this.connection.hasSocket) watchReader(this)
    this.#isWatched = true
    this.waited_ticks = -1
    if (this.#rest) return this.#write(this.#rest, controller)
    try {
      const chunk = await this.source.next()
      if (this.#isOver) return
      if (chunk) return this.#write(chunk, controller)
      this.#end()
      controller.close()
    } catch (error) {
      this.#end()
      controller.error(error)
      if (error instanceof BodyAborted) return
      log.error('bug: a stream failed', { reason: reason(error) })
      this.source.cancelled()
    }
  }

  #write(chunk: Uint8Array, controller: ReadableStreamDefaultController<Uint8Array>) {
    this.waited_ticks = 0
    this.#written_bytes += Math.min(chunk.byteLength, PIECE_BYTES)
    const isLarge = chunk.byteLength > PIECE_BYTES
    this.connection.written_bytes += isLarge ? PIECE_BYTES : chunk.byteLength
    this.#rest = isLarge ? chunk.subarray(PIECE_BYTES) : undefined
    controller.enqueue(isLarge ? chunk.subarray(0, PIECE_BYTES) : chunk)
  }

  cancel() {
    if (this.#isOver) return
    this.#end()
    this.source.cancelled()
  }

  cutOff() {
    this.cancel()
    this.connection.close()
  }

  #end() {
    this.#isOver = true
    this.#rest = undefined
    forgetReader(this)
    this.connection.endBody()
  }
}
