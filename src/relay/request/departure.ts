/** What follows when the client leaves: the upstream is read on, undelivered, for its report and within limits. */
import { SETTLE_AFTER_LEAVE_MAX } from '../../contracts/relay.ts'
import { option } from '../../domain/options/index.ts'
import type { PassedUpstream } from '../../formats/format.ts'
import { stopwatch } from '../../process/clock.ts'
import { setCoarseTimer } from '../../process/coarse-timer.ts'
import { DRAIN_TIMEOUT_MS, deadline, onShutdown } from '../../process/shutdown.ts'
import { ClientDisconnected } from '../errors/fault.ts'

/** Output that is produced without being shown. */
interface Unseen {
  readonly isOn: boolean
  readonly is_thinking: boolean
  /** Estimated. */
  readonly tokens: number
}

/** What the running attempt says of reading on. */
interface Attempt {
  /** Reads the response. */
  format: PassedUpstream
  abort: AbortController
  /** The upstream is aborted at once. */
  cancels: boolean
  /** Most bytes of a stream that are read on. */
  max_bytes: number
  unseen: Unseen | undefined
}

const MS_PER_SECOND = 1000
/** How often the limits of time are looked at, in milliseconds: what is unseen may end. */
const CHECK_MS = 1000

/** Departures whose call is not billed yet. */
const open = new Set<Departure>()
let isProcessEnding = false

/** How many calls run whose client has left. */
export const departuresHere = () => open.size

export class Departure {
  hasLeft = false
  #preparing: AbortController | undefined
  /** Whose request has gone out: it is read on. */
  attempt: Attempt | undefined
  #work: (() => void) | undefined
  #has_ended = false
  #bytes = 0
  #over: PromiseWithResolvers<void> | undefined

  constructor(disconnected: AbortSignal) {
    this.hasLeft = disconnected.aborted
    disconnected.addEventListener('abort', this.begin, { once: true })
  }

  /**
   * The work before a request begins, such as uploads and handshakes: nothing of it is billed, so that it ends when the
   * client leaves. @throws ClientDisconnected
   */
  prepare(abort: AbortController) {
    if (this.hasLeft) throw new ClientDisconnected()
    this.attempt = undefined
    this.#preparing = abort
  }

  /** Waits for work that other calls wait for too: it goes on when the client leaves. @throws ClientDisconnected */
  async meanwhile<T>(work: () => Promise<T>): Promise<T> {
    const abort = new AbortController()
    this.prepare(abort)
    const { promise, reject } = Promise.withResolvers<never>()
    abort.signal.addEventListener('abort', () => reject(abort.signal.reason))
    return await Promise.race([work(), promise])
  }

  /** A request goes out: its attempt is the one that is read on. @throws ClientDisconnected */
  watch(attempt: Attempt) {
    if (this.hasLeft) throw new ClientDisconnected()
    this.#preparing = undefined
    this.attempt = attempt
  }

  /** Whether the client has left an upstream at work. */
  get isReadOn(): boolean {
    return this.hasLeft && this.attempt !== undefined
  }

  /** Runs once the client has left. */
  whenLeft(work: () => void) {
    this.#work = work
    if (this.hasLeft) work()
  }

  /** The client has left. */
  begin = () => {
    if (this.hasLeft || this.#has_ended) return
    this.hasLeft = true
    this.#preparing?.abort(new ClientDisconnected())
    if (!this.attempt) return
    this.#over = Promise.withResolvers()
    open.add(this)
    const seconds = option('SettleAfterLeave')
    if (this.attempt.cancels || !seconds || isProcessEnding) this.cut()
    else this.#limit(seconds * MS_PER_SECOND)
    this.#work?.()
  }

  /** Counts bytes that are read. */
  count(bytes: number) {
    if (!this.hasLeft) return
    this.#bytes += bytes
    if (this.#bytes > this.attempt!.max_bytes) this.cut()
  }

  /** Aborts the upstream: the bill is made of what is known. */
  cut() {
    this.attempt?.abort.abort(new ClientDisconnected(true))
  }

  /** The call is billed. */
  end() {
    this.#has_ended = true
    open.delete(this)
    this.#over?.resolve()
  }

  /** Resolves when the call of a client that has left is billed. */
  get over(): Promise<void> | undefined {
    return this.#over?.promise
  }

  /** The time runs from the leave, and anew from the end of what is unseen. */
  #limit(settle_ms: number) {
    const clock = stopwatch()
    let due_ms = settle_ms
    const check = () => {
      if (this.#has_ended) return
      const elapsed_ms = clock()
      if (this.attempt?.unseen?.isOn) due_ms = Math.min(elapsed_ms + settle_ms, SETTLE_AFTER_LEAVE_MAX * MS_PER_SECOND)
      if (elapsed_ms >= due_ms) this.cut()
      else setCoarseTimer(Math.min(CHECK_MS, due_ms - elapsed_ms), check)
    }
    check()
  }
}

function cutAll() {
  isProcessEnding = true
  for (const departure of open) departure.cut()
}
deadline.addEventListener('abort', cutAll)

/** Upstreams are read on within the drain, whatever else it waits for. */
onShutdown('drain', async () => {
  setTimeout(cutAll, DRAIN_TIMEOUT_MS).unref()
  await departuresOver()
})

/** Resolves when every call whose client has left is billed. */
export async function departuresOver() {
  while (open.size) await Promise.race([...open].map(({ over }) => over))
}
