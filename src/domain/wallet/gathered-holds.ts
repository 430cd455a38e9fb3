/**
 * PostgreSQL: calls that begin while others are being held are held with each other, in one round trip. What cannot be
 * held so waits for its user alone.
 */
import { isLostConnection } from '../../db/transient-error.ts'
import { onReset } from '../../process/stores.ts'
import { holdAlone, type WantedHold } from './hold-alone.ts'
import { holdTogether } from './hold-together.ts'
import { OwnerTurns } from './owner-turns.ts'
import type { DecideQuota, Reservation } from './reservation.ts'
import { Rounds } from './rounds.ts'

interface WaitingHold extends WantedHold {
  /** A lost transaction may have held it. */
  isRepeated: boolean
  resolve(): void
  reject(error: unknown): void
}

const rounds = new Rounds(holdGroup)
const alone = new OwnerTurns<WaitingHold>((_, group) => holdInTurn(group))
onReset('gathered-holds', () => {
  rounds.reset()
  alone.reset()
})

/** Sets the reservation's quota and holds it. @throws Refusal */
export function gather(reservation: Reservation, decide: DecideQuota): Promise<void> {
  reservation.quota = decide(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
  if (reservation.budgets) reservation.tokens = reservation.tokensOf?.(Number.POSITIVE_INFINITY) ?? 0
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  rounds.add({ reservation, decide, isRepeated: false, resolve, reject })
  return promise
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

const leaveAlone = (one: WaitingHold) => alone.add(one.reservation.user_id, one)

async function holdInTurn(group: WaitingHold[]) {
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
