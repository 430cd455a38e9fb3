/**
 * Lines of unknown browsers that want to sign in to an account which too many have tried: each subscriber has one place, in
 * the order of coming, and keeps it until its turn. So guesses are about a hundred an hour from any number of addresses,
 * and the right password gets its turn however many others go on.
 */
import { isLimitShared, nodesApart, turnInRedis } from '../../cluster/limits.ts'
import { now_ms } from '../../process/clock.ts'
import { store } from '../../process/stores.ts'
import { type Awaitable, chain } from '../../pure/awaitable.ts'

const PACE_MS = 36_000
/** Time for which a turn that has come can be used. */
const GRACE_MS = 600_000
/** Places of one line: ten hours. */
const PLACES_MAX = 1000

interface Line {
  /** Time of the next free turn, in ms since 1970. */
  next: number
  /** Time of the turn of each subscriber. */
  turns: Map<string, number>
}

const lines = store('sign-in-lines', new Map<string, Line>())

/** Uses the turn of a subscriber up when it has come, or gives it a place in the line. @returns 0, or the seconds to wait */
export function takeTurn(account: string, subscriber: string): Awaitable<number> {
  if (!isLimitShared) return takeTurnHere(account, subscriber)
  const rules = { pace_ms: PACE_MS, grace_ms: GRACE_MS, places: PLACES_MAX }
  return chain(turnInRedis(account, subscriber, rules), seconds => seconds ?? takeTurnHere(account, subscriber))
}

function takeTurnHere(account: string, subscriber: string): number {
  const at = now_ms()
  const line = lineOf(account, at)
  const own = line.turns.get(subscriber) ?? placeIn(line, subscriber, at)
  if (own > at) return Math.ceil((own - at) / 1000)
  line.turns.delete(subscriber)
  return 0
}

function lineOf(account: string, at: number): Line {
  const line = lines.get(account)
  if (!line) {
    for (const [name, { next }] of lines) if (next + GRACE_MS < at) lines.delete(name)
    const made = { next: at, turns: new Map<string, number>() }
    lines.set(account, made)
    return made
  }
  // Turns are in the order of their time.
  for (const [subscriber, turn] of line.turns) {
    if (turn + GRACE_MS >= at) break
    line.turns.delete(subscriber)
  }
  return line
}

/** A full line has no place until its first turn is over. */
function placeIn(line: Line, subscriber: string, at: number): number {
  const [first] = line.turns.values()
  if (first !== undefined && line.turns.size === PLACES_MAX) return Math.max(first, at) + PACE_MS
  const turn = Math.max(line.next, at)
  // Each node has its share of the turns.
  line.next = turn + PACE_MS * nodesApart()
  line.turns.set(subscriber, turn)
  return turn
}
