/**
 * PostgreSQL: calls that begin while others are being held are held with each other, in one round trip. A call that
 * nothing runs beside does not wait. What cannot be held so waits for its user alone.
 */
import { isLostConnection } from '../../db/transient-error.ts'
import { semaphore } from '../../process/semaphore.ts'
import { onReset } from '../../process/stores.ts'
import { holdAlone, type WantedHold } from './hold-alone.ts'
import { holdTogether } from './hold-together.ts'
import type { DecideQuota, Reservation } from './reservation.ts'

/** Calls of one round trip. */
const GROUP_MAX = 256
/** Once calls come side by side, a round waits this long for more of them. */
const GATHER_MS = 2
/** Users whose calls hold alone at the same time, each on a connection: others are left for the rest of the work. */
const ALONE_MAX = 3

interface WaitingHold extends WantedHold {
  /** A lost transaction may have held it. */
  isRepeated: boolean
  resolve(): void
  reject(error: unknown): void
}

let waiting: WaitingHold[] = []
let isRunning = false
const alone = semaphore(ALONE_MAX)
const aloneOf = new Map<number, WaitingHold[]>()
onReset('gathered-holds', () => {
  waiting = []
  isRunning = false
  aloneOf.clear()
})

/** Sets the reservation's quota and holds it. @throws Refusal */
export function gather(reservation: Reservation, decide: DecideQuota): Promise<void> {
  reservation.quota = decide(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const one = { reservation, decide, isRepeated: false, resolve, reject }
  // Budgets have no plenty: the call is decided for where no other can take of them.
  if (reservation.budgets) leaveAlone(one)
  else waiting.push(one)
  if (!isRunning && waiting.length) void rounds()
  return promise
}

async function rounds() {
  isRunning = true
  for (let isFirst = true; waiting.length; isFirst = false) {
    // Of calls that came during the last round, more come soon.
    if (!isFirst && waiting.length > 1 && waiting.length < GROUP_MAX) await Bun.sleep(GATHER_MS)
    await holdGroup(waiting.splice(0, GROUP_MAX))
  }
  isRunning = false
}

async function holdGroup(group: WaitingHold[]) {
  try {
    const held = await holdTogether(group.map(({ reservation }) => reservation))
    for (const one of group) {
      if (held.has(one.reservation.request_id)) one.resolve()
      else leaveAlone(one)
    }
  } catch (error) {
    for (const one of group) {
      if (isLostConnection(error)) leaveAlone({ ...one, isRepeated: true })
      else one.reject(error)
    }
  }
}

/** Calls of a user that come meanwhile share the user's next transaction. */
function leaveAlone(one: WaitingHold) {
  const { user_id } = one.reservation
  const others = aloneOf.get(user_id)
  if (others) return void others.push(one)
  aloneOf.set(user_id, [one])
  void alone(() => holdAllOf(user_id))
}

async function holdAllOf(user_id: number) {
  const queue = aloneOf.get(user_id)!
  while (queue.length) {
    const group = queue.splice(0, GROUP_MAX)
    const isRepeated = group.some(one => one.isRepeated)
    try {
      const refusals = await holdAlone(group, isRepeated)
      for (const [at, { resolve, reject }] of group.entries()) {
        if (refusals[at]) reject(refusals[at])
        else resolve()
      }
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }
  // In the tick that has found nothing more to do: what comes later begins anew.
  aloneOf.delete(user_id)
}
