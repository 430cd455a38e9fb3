/** Sends comments while a client waits for a stream, so that no proxy on the way closes the connection. */
import { option } from '../../domain/options/index.ts'
import type { Candidate } from '../../domain/routing/index.ts'
import type { BodySource } from '../../stream/body-stream.ts'
import { PING } from '../../stream/sse.ts'
import { isNonStreamOnly } from '../upstream/prepare-request.ts'

const MS_PER_SECOND = 1000

/** Channels and APIs without streams always get comments, at least every 5 s: their first event is the whole response. */
const NON_STREAM_INTERVAL_MS = 5000

/** Milliseconds without data after which a comment is sent; 0 sends none. */
export function keepAliveInterval_ms(channels: readonly Candidate[] = []): number {
  const ms = option('general_setting.ping_interval_enabled')
    ? option('general_setting.ping_interval_seconds') * MS_PER_SECOND
    : 0
  const mayWait = channels.some(({ channel, api }) => api.no_streams || isNonStreamOnly(channel))
  return mayWait ? Math.min(ms || NON_STREAM_INTERVAL_MS, NON_STREAM_INTERVAL_MS) : ms
}

/** The same for a call that waits in the queue of channels that are at their limits. */
export const QUEUED_INTERVAL_MS = 5000

/** Whether a promise resolves or rejects within the time. */
export async function settlesWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), ms)
  work.then(
    () => resolve(true),
    () => resolve(true),
  )
  const settled = await promise
  clearTimeout(timer)
  return settled
}

/** Yields comments, the first at once, until the source is there or has failed. */
export class KeepAlive implements BodySource {
  #source: BodySource | undefined
  #over = false
  #waited = false

  constructor(
    private readonly started: Promise<BodySource>,
    private readonly interval_ms: number,
    private readonly on: { writeError(error: unknown): string; leave(): void },
  ) {
    started.catch(() => {
      // `next` reports it; after a disconnect no `next` follows.
    })
  }

  async next(): Promise<Uint8Array | undefined> {
    if (this.#source) return this.#source.next()
    if (this.#over) return undefined
    if (!this.#waited || !(await settlesWithin(this.started, this.interval_ms))) {
      this.#waited = true
      return Buffer.from(PING)
    }
    try {
      this.#source = await this.started
      return this.#source.next()
    } catch (error) {
      this.#over = true
      return Buffer.from(this.on.writeError(error))
    }
  }

  cancelled() {
    this.on.leave()
  }
}

/** A whole response as the only event of a stream. */
export function singleEvent(response: Buffer): BodySource {
  const data = response.toString('latin1').replace(/\r\n|\r|\n/g, '\ndata: ')
  let bytes: Buffer | undefined = Buffer.from(`data: ${data}\n\n`, 'latin1')
  return {
    async next() {
      const event = bytes
      bytes = undefined
      return event
    },
    cancelled() {},
  }
}
