/**
 * Response bodies that come faster than their clients read. Bun 1.4 holds up to 1 MB of one that is not read yet, and 2 MB
 * of one that is, so few fast bodies of a user run at a time. Whether a body is fast shows only as it comes: a user without
 * history has a small window of unknown ones, which grows with each that turns out slow, as TCP's slow start does.
 */
import { stopwatch } from '../process/clock.ts'
import { onReset, store } from '../process/stores.ts'

/** A chunk of a fast body: text of a model comes in much smaller ones. */
const FAST_BYTES = 131_072
/** How long after its first large chunk a body holds up the next ones: it may be long, and its client slow. */
const FAST_MS = 2000
/** Fast bodies of all users: while there are as many, a user with one begins no other. */
const FAST_MAX = 8
/** Fast bodies of one user that hold up its next ones. */
const USER_MAX = 3
/** Most unknown bodies of a user without history. */
const FIRST_WINDOW = 6
/** A body without a large chunk is slow so long after its first chunk, or after the request. */
const [SLOW_MS, SILENT_MS] = [100, 60_000]
/** The longest wait for a full window. Then one body of a user passes it at each look. */
const WAIT_MS = 250
/** From one look at the waiting bodies to the next. */
const LOOK_MS = 10
/** Users whose history is kept. */
const USERS_MAX = 10_000

const clock = stopwatch()

/** The bodies of one user. */
interface Pace {
  /** Bodies that have not shown yet whether they are fast, with the time from which each is slow. */
  unknown: Map<PacedBody, number>
  /** The most that are unknown at a time. */
  window: number
  /** Whether one has passed the full window at this look. */
  has_passed: boolean
  /** With the time until which each holds up the next ones. */
  fast: Map<PacedBody, number>
}

interface WaitingBody {
  body: PacedBody
  may(): boolean
  goOn(): void
}

/** By user. */
const paces = store('paces', new Map<number, Pace>())
const fastBodies = store('fast-bodies', new Set<PacedBody>())
let waiting: WaitingBody[] = []
let is_looking = false
onReset('waiting-bodies', () => {
  waiting = []
})

function paceOf(user_id: number): Pace {
  const known = paces.get(user_id)
  if (known) return known
  if (paces.size >= USERS_MAX) forgetIdle()
  const pace = { unknown: new Map(), window: FIRST_WINDOW, has_passed: false, fast: new Map() }
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

  /** Resolves when the request may be sent. @returns undefined when it may be at once, as most may */
  ask(): Promise<void> | undefined {
    const elapsed_ms = stopwatch()
    const may = () => this.#hasRoom && (this.#isWindowOpen || (elapsed_ms() > WAIT_MS && !this.pace.has_passed))
    const take = () => {
      this.pace.has_passed = !this.#isWindowOpen
      this.pace.unknown.set(this, clock() + SILENT_MS)
    }
    return this.#turn(may, take)
  }

  /** The same, for the body to be read. */
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

  /** The body is over, or is not read: it waits no longer. */
  end = () => {
    this.#is_over = true
    const { unknown, fast } = this.pace
    if (unknown.delete(this)) this.pace.window++
    fast.delete(this)
    fastBodies.delete(this)
    const own = waiting.find(({ body }) => body === this)
    if (!own) return
    waiting = waiting.filter(one => one !== own)
    own.goOn()
  }

  #isFast() {
    const { unknown, fast } = this.pace
    if (fast.has(this)) return
    fastBodies.add(this)
    fast.set(this, clock() + FAST_MS)
    unknown.delete(this)
    this.pace.window = Math.max(FIRST_WINDOW, this.pace.window >> 1)
  }

  get #hasRoom(): boolean {
    const { fast } = this.pace
    if (!fast.size) return true
    const now_ms = clock()
    return fastBodies.size < FAST_MAX && [...fast.values()].filter(until_ms => until_ms > now_ms).length < USER_MAX
  }

  /** Each body that has turned out slow makes the window larger. */
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

/** Lets those go on that may, in the order of their coming. */
function look() {
  const still: WaitingBody[] = []
  for (const { body } of waiting) body.pace.has_passed = false
  for (const one of waiting) {
    if (one.may()) one.goOn()
    else still.push(one)
  }
  waiting = still
  is_looking = waiting.length > 0
  if (is_looking) setTimeout(look, LOOK_MS)
}
