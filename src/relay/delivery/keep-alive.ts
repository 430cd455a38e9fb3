/** Comments for a caller who waits long for a stream to begin, so that nothing on the way hangs up. */
import type { RoutedChannel } from '../../domain/channels/index.ts'
import { option } from '../../domain/options/index.ts'
import type { BodySource } from '../../stream/body-stream.ts'
import { PING } from '../../stream/sse.ts'
import { isNonStreamOnly } from '../upstream/prepare-request.ts'

const MS_PER_SECOND = 1000

/** Who streams from an upstream without streams waits for all of the answer, and has company whatever the setting. */
const WITHOUT_STREAMS_MS = 5000

/** Milliseconds of silence after which a comment is sent; 0 when none are. */
export function keepAliveInterval_ms(channels: readonly RoutedChannel[] = []): number {
  const ms = option('general_setting.ping_interval_enabled')
    ? option('general_setting.ping_interval_seconds') * MS_PER_SECOND
    : 0
  return channels.some(isNonStreamOnly) ? Math.min(ms || WITHOUT_STREAMS_MS, WITHOUT_STREAMS_MS) : ms
}

/** Whether it is there within the time; a failure counts as being there. */
export async function arrives(work: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), ms)
  work.then(
    () => resolve(true),
    () => resolve(true),
  )
  const arrived = await promise
  clearTimeout(timer)
  return arrived
}

/** Comments, the first at once, until there is something to show, or something to say instead. */
export class KeepAlive implements BodySource {
  #show: BodySource | undefined
  #over = false
  #waited = false

  constructor(
    private readonly coming: Promise<BodySource>,
    private readonly ping_ms: number,
    private readonly explain: (error: unknown) => string,
  ) {}

  async next(): Promise<Uint8Array | undefined> {
    if (this.#show) return this.#show.next()
    if (this.#over) return undefined
    if (!this.#waited || !(await arrives(this.coming, this.ping_ms))) {
      this.#waited = true
      return Buffer.from(PING)
    }
    try {
      this.#show = await this.coming
      return this.#show.next()
    } catch (error) {
      this.#over = true
      return Buffer.from(this.explain(error))
    }
  }

  cancelled() {
    this.coming.then(
      show => show.cancelled(),
      () => {
        // It did not come, and nobody is there to be told.
      },
    )
  }
}

/** A whole answer for a caller who has been kept company in a stream. */
export class OneEvent implements BodySource {
  #bytes: Buffer | undefined

  constructor(answer: Buffer) {
    this.#bytes = Buffer.from(`data: ${answer.toString('latin1').replace(/\r\n|\r|\n/g, '\ndata: ')}\n\n`, 'latin1')
  }

  async next() {
    const bytes = this.#bytes
    this.#bytes = undefined
    return bytes
  }

  cancelled() {}
}
