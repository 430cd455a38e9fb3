/**
 * Clients that do not read what is written to them. One look at all of them in each tick, since a timer for each chunk is
 * expensive. They are cut off after READER_TIMEOUT, and before that where what waits for them takes more memory than all
 * such clients may have: then the user for whom most waits loses the client that has read nothing for longest. A user for
 * whom a quarter of that waits begins no further call.
 */
import { Refusal } from '../contracts/refusal.ts'
import { env } from '../env.ts'
import { onReset, store } from '../process/stores.ts'

export const TICK_MS = 250
/** Ticks after which a client counts as one that does not read: 0.5 s. */
const STALLED_TICKS = 2
/** Ticks after which a client may be cut off from a whole response, which takes no more memory while it waits: 2 s. */
const WHOLE_TICKS = 8
/** Part of BODY_BUDGET_MB, which follows the memory of the machine, that may wait for all clients that do not read. */
const WAITING_PART = 1 / 5
/** Part of it that may wait for the clients of one user. */
const USER_PART = 1 / 4
const MEGABYTE = 1_048_576
/** Seconds after which a refused client may call again. */
const RETRY_SECONDS = 5

/** A client to which a response is written. */
export interface WrittenReader {
  readonly user_id: number
  /** Ticks since it last took something; -1 while nothing waits for it. */
  waited_ticks: number
  /** Bytes of the process that wait for it. */
  readonly waiting_bytes: number
  /** All that it is to read is there; a stream or file goes on to arrive. */
  readonly isWhole?: boolean
  cutOff(): void
}

const readers = store('written-readers', new Set<WrittenReader>())
/** Bytes that wait for the clients of a user that do not read. */
const waitingOf = store('waiting-of-users', new Map<number, number>())
let timer: Timer | undefined
onReset('written-readers-timer', stopTicking)

const budget = () => env.BODY_BUDGET_MB * MEGABYTE * WAITING_PART

export function watchReader(reader: WrittenReader) {
  readers.add(reader)
  timer ??= setInterval(tick, TICK_MS)
}

export function forgetReader(reader: WrittenReader) {
  readers.delete(reader)
  if (!readers.size) stopTicking()
}

/** @throws Refusal 429 while too much waits for the user's clients */
export function checkReaders(user_id: number) {
  if ((waitingOf.get(user_id) ?? 0) > budget() * USER_PART)
    throw new Refusal('relay.responses_unread', { seconds: RETRY_SECONDS }, 429)
}

function stopTicking() {
  clearInterval(timer)
  timer = undefined
  waitingOf.clear()
}

/** Counted in ticks: after a pause of the process, pending I/O runs first. */
function tick() {
  const stalled: WrittenReader[] = []
  for (const reader of readers) {
    if (reader.waited_ticks < 0) continue
    reader.waited_ticks++
    if (reader.waited_ticks * TICK_MS >= env.READER_TIMEOUT * 1000) reader.cutOff()
    else if (reader.waited_ticks >= STALLED_TICKS) stalled.push(reader)
  }
  waitingOf.clear()
  if (stalled.length) shed(stalled)
}

function shed(stalled: WrittenReader[]) {
  const byUser = Map.groupBy(stalled, ({ user_id }) => user_id)
  for (const [user_id, own] of byUser) waitingOf.set(user_id, bytesOf(own))
  let left = bytesOf(stalled)
  while (left > budget()) {
    const longest = longestStalled([...byUser.values()])
    if (!longest) return
    left -= longest.waiting_bytes
    longest.cutOff()
  }
}

/** Takes the one that has read nothing for longest from the user for whom most waits, unless that is too short yet. */
function longestStalled(ofUsers: WrittenReader[][]): WrittenReader | undefined {
  const [own = []] = ofUsers.sort((one, other) => bytesOf(other) - bytesOf(one))
  own.sort((one, other) => other.waited_ticks - one.waited_ticks)
  const at = own.findIndex(({ isWhole, waited_ticks }) => !isWhole || waited_ticks >= WHOLE_TICKS)
  return at < 0 ? undefined : own.splice(at, 1)[0]
}

const bytesOf = (readers: readonly WrittenReader[]) =>
  readers.reduce((sum, { waiting_bytes }) => sum + waiting_bytes, 0)
