/**
 * Response bodies that come faster than they are passed on. Bun 1.4 holds up to 1 MB of one that is not read yet, and 2 MB
 * of one that is. So few fast ones of a user run at a time. Whether bodies are fast shows only as they come: a user
 * without history may ask for some at once, and for more with each that has turned out slow, as TCP begins slowly.
 */
import { stopwatch } from '../process/clock.ts'
import { onReset, store } from '../process/stores.ts'

/** A chunk of a fast body: text of a model comes in much smaller ones. */
const FAST_BYTES = 131_072
/** A body holds up the next ones for so long after a large chunk: its client may read slowly. */
const FAST_MS = 2000
/** Fast bodies of all users. Beyond it, a user has one. */
const FAST_MAX = 8
/** Fast bodies of one user. */
const USER_MAX = 3
/** Bodies that nothing is known of, of a user without history. */
const FIRST_WINDOW = 6
/** A body is slow when no large chunk has come so long after its first one, or after it was asked for. */
const [SLOW_MS, SILENT_MS] = [100, 60_000]
/** So long a call waits at most because nothing is known of others. Then one goes on each time that is looked. */
const WAIT_MS = 250
/** How soon is looked again at those that wait. */
const LOOK_MS = 10
/** Users whose history is kept. */
const USERS_MAX = 10_000

const clock = stopwatch()

interface Pace {
  /** Bodies that may run before anything is known of them. */
  window: number
  /** Whether one beyond the window has gone on at this look. */
  has_passed: boolean
  /** Those, with the time from which each is slow. */
  unknown: Map<PacedBody, number>
  /** With the time until which each holds up the next ones. */
  fast: Map<PacedBody, number>
}

interface Waiting {
  body: PacedBody
  may(): boolean
  goOn(): void
}

/** By user. */
const paces = store('paces', new Map<number, Pace>())
let waiting: Waiting[] = []
let is_looking = false
let fast_count = 0
onReset('pace-queue', () => {
  waiting = []
  fast_count = 0
})

function paceOf(user_id: number): Pace {
  const known = paces.get(user_id)
  if (known) return known
  if (paces.size >= USERS_MAX) forgetIdle()
  const pace = { window: FIRST_WINDOW, has_passed: false, unknown: new Map(), fast: new Map() }
  paces.set(user_id, pace)
  return pace
}

function forgetIdle() {
  for (const [id, { unknown, fast }] of paces) if (!unknown.size && !fast.size) paces.delete(id)
}

/** One body, read for the client of a user. */
export class PacedBody {
  readonly pace: Pace
  #has_come = false
  #is_over = false

  constructor(user_id: number) {
    this.pace = paceOf(user_id)
  }

  /** Resolves when it may be asked for; at once, without a promise, in most cases. */
  ask(): Promise<void> | undefined {
    const elapsed_ms = stopwatch()
    const may = () => this.#hasRoom && (this.#isWindowOpen || (elapsed_ms() > WAIT_MS && !this.pace.has_passed))
    const take = () => {
      this.pace.has_passed = !this.#isWindowOpen
      this.pace.unknown.set(this, clock() + SILENT_MS)
    }
    return this.#turn(may, take)
  }

  /** The same, for it to be read. */
  read(): Promise<void> | undefined {
    if (this.#hasRoom) return
    return this.#turn(
      () => this.#hasRoom,
      () => this.#isFast(),
    )
  }

  came(bytes: number) {
    const { unknown } = this.pace
    if (bytes >= FAST_BYTES) this.#isFast()
    else if (!this.#has_come && unknown.has(this)) unknown.set(this, clock() + SLOW_MS)
    this.#has_come = true
  }

  /** It is over, and waits no longer. */
  end = () => {
    this.#is_over = true
    const { unknown, fast } = this.pace
    if (unknown.delete(this)) this.pace.window++
    if (fast.delete(this)) fast_count--
    const own = waiting.find(({ body }) => body === this)
    waiting = waiting.filter(one => one !== own)
    own?.goOn()
  }

  #isFast() {
    const { unknown, fast } = this.pace
    if (!fast.has(this)) fast_count++
    fast.set(this, clock() + FAST_MS)
    unknown.delete(this)
    this.pace.window = Math.max(FIRST_WINDOW, this.pace.window >> 1)
  }

  get #hasRoom(): boolean {
    const { fast } = this.pace
    if (!fast.size) return true
    const now_ms = clock()
    return fast_count < FAST_MAX && [...fast.values()].filter(until_ms => until_ms > now_ms).length < USER_MAX
  }

  /** Those that have turned out slow let more be asked for. */
  get #isWindowOpen(): boolean {
    const { unknown, window } = this.pace
    if (unknown.size < window) return true
    const now_ms = clock()
    for (const [body, slow_ms] of unknown) {
      if (slow_ms > now_ms) continue
      unknown.delete(body)
      this.pace.window++
    }
    return unknown.size < this.pace.window
  }

  #turn(may: () => boolean, take: () => void): Promise<void> | undefined {
    if (may()) return void take()
    if (!is_looking) setTimeout(look, LOOK_MS)
    is_looking = true
    const { promise, resolve } = Promise.withResolvers<void>()
    const goOn = () => {
      if (!this.#is_over) take()
      resolve()
    }
    waiting.push({ body: this, may, goOn })
    return promise
  }
}

/** In the order of their coming. */
function look() {
  const still: Waiting[] = []
  for (const { body } of waiting) body.pace.has_passed = false
  for (const one of waiting) {
    if (one.may()) one.goOn()
    else still.push(one)
  }
  waiting = still
  is_looking = waiting.length > 0
  if (is_looking) setTimeout(look, LOOK_MS)
}
