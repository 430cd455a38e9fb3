/**
 * Clients that do not read what is written to them. One look at all of them in each tick, since a timer for each chunk is
 * expensive. They are cut off after READER_TIMEOUT, and before that where what waits for them takes more memory than all
 * such clients may have: then the user for whom most waits loses the client that has read nothing for longest.
 */
import { env } from '../env.ts'
import { onReset, store } from '../process/stores.ts'

const TICK_MS = 250
/** Ticks after which a client counts as one that does not read: a slow line takes a full socket buffer in less. */
const STALLED_TICKS = 8
/** Part of BODY_BUDGET_MB, which follows the memory of the machine, that may wait for all clients that do not read. */
const WAITING_PART = 1 / 4
const MEGABYTE = 1_048_576

/** A client to which a response is written. */
export interface WrittenReader {
  readonly user_id: number
  /** Ticks since it last took something; -1 while nothing waits for it. */
  waited_ticks: number
  /** Bytes of the process that wait for it. */
  readonly waiting_bytes: number
  cutOff(): void
}

const readers = store('written-readers', new Set<WrittenReader>())
let timer: Timer | undefined
onReset('written-readers-timer', stopTicking)

export function watchReader(reader: WrittenReader) {
  readers.add(reader)
  timer ??= setInterval(tick, TICK_MS)
}

export function forgetReader(reader: WrittenReader) {
  readers.delete(reader)
  if (!readers.size) stopTicking()
}

function stopTicking() {
  clearInterval(timer)
  timer = undefined
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
  if (stalled.length) shed(stalled)
}

function shed(stalled: WrittenReader[]) {
  const byUser = Map.groupBy(stalled, ({ user_id }) => user_id)
  let left = bytesOf(stalled)
  while (left > env.BODY_BUDGET_MB * MEGABYTE * WAITING_PART) {
    const [own] = [...byUser.values()].sort((one, other) => bytesOf(other) - bytesOf(one))
    own!.sort((one, other) => other.waited_ticks - one.waited_ticks)
    const [longest] = own!.splice(0, 1)
    left -= longest!.waiting_bytes
    longest!.cutOff()
  }
}

const bytesOf = (readers: readonly WrittenReader[]) =>
  readers.reduce((sum, { waiting_bytes }) => sum + waiting_bytes, 0)
