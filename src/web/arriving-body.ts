/** Request bodies as they come: one that comes too slowly ends with 408, so that no client holds memory by waiting. */
import { Refusal } from '../contracts/refusal.ts'
import { stopwatch } from '../process/clock.ts'
import { setCoarseTimer } from '../process/coarse-timer.ts'

/** 512 KB: a body of up to this size may come at any pace within its time, 20 KB/s for the largest. */
const SLOW_BODY_BYTES = 524_288
const SLOW_BODY_TIMEOUT_MS = 25_000
/** A larger body comes at this rate in every window: 32 KB/s, the uplink of a slow telephone. */
const BYTES_PER_SECOND_MIN = 32_768
const WINDOW_MS = 5000
const WINDOW_BYTES_MIN = (BYTES_PER_SECOND_MIN * WINDOW_MS) / 1000

const tooSlow = () => new Refusal('error.body_too_slow', {}, 408)

/** A body that may come at any pace within its time. @throws Refusal 408 */
export function smallBody(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>()
  const cancel = setCoarseTimer(SLOW_BODY_TIMEOUT_MS, () => reject(tooSlow()))
  request.bytes().then(
    bytes => {
      cancel()
      resolve(bytes)
    },
    error => {
      cancel()
      reject(error)
    },
  )
  return promise
}

/**
 * The chunks of a body as they come.
 * @param expected_bytes 0 where they are not announced
 * @throws Refusal 408
 */
export async function* arriving(
  { body }: Pick<Request, 'body'>,
  expected_bytes: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (!body) return
  const reader = body.getReader()
  const pace = new Pace(expected_bytes)
  try {
    for (;;) {
      const chunk = await pace.wait(reader.read())
      if (!chunk) return
      yield chunk
    }
  } finally {
    pace.end()
    // A body that is not read to its end, or whose client has left.
    reader.cancel().catch(() => {})
  }
}

type ReadResult = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>['read']>>

/** Looks at the pace once in a window, and only while the client is waited for. */
class Pace {
  #bytes = 0
  #window_from = 0
  readonly #elapsed = stopwatch()
  #waiting: PromiseWithResolvers<ReadResult> | undefined
  #cancelTimer = () => {}

  constructor(private readonly expected_bytes: number) {
    this.#startWindow()
  }

  /** @returns undefined at the end. @throws Refusal 408 */
  async wait(read: Promise<ReadResult>): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const waiting = Promise.withResolvers<ReadResult>()
    this.#waiting = waiting
    read.then(waiting.resolve, waiting.reject)
    const { value } = await waiting.promise
    this.#waiting = undefined
    this.#bytes += value?.byteLength ?? 0
    return value
  }

  end() {
    this.#cancelTimer()
  }

  #startWindow() {
    this.#cancelTimer = setCoarseTimer(WINDOW_MS, () => {
      if (this.#waiting && this.#isTooSlow) return this.#waiting.reject(tooSlow())
      this.#window_from = this.#bytes
      this.#startWindow()
    })
  }

  get #isTooSlow(): boolean {
    const isSmall = Math.max(this.expected_bytes, this.#bytes) <= SLOW_BODY_BYTES
    if (isSmall) return this.#elapsed() >= SLOW_BODY_TIMEOUT_MS
    return this.#bytes - this.#window_from < WINDOW_BYTES_MIN
  }
}
