/** Money: every balance changes here, by delta only. A call reserves, may grow, and ends exactly once. */

import { Refusal } from '../../contracts/refusal.ts'
import { isTransientError } from '../../db/transient-error.ts'
import { now } from '../../process/clock.ts'
import type { Settlement } from './ended-call.ts'
import { enqueue, isStuck } from './queue.ts'
import type { Reservation } from './reservation.ts'
import { open, reservations } from './reservations.ts'

export type { Reservation, Settlement }

/**
 * Sets quota aside for a call that is about to run.
 * @throws Refusal 403 `wallet.insufficient_user_quota` or `wallet.insufficient_token_quota`; 503 while no bill can be
 * written.
 */
export async function reserve(ask: Reservation): Promise<Reservation> {
  const reservation = { ...ask }
  checkQuota(ask.quota)
  if (open.has(ask.request_id)) throw new Error(`call ${ask.request_id} has already begun`)
  if (isStuck()) throw unavailable()
  await availably(reservations.hold(reservation))
  open.set(ask.request_id, reservation)
  return reservation
}

/** Sets more aside for a call that outgrows its reservation; false when the balance is out. */
export async function extend(reservation: Reservation, more: number): Promise<boolean> {
  if (!isOpen(reservation)) throw new Error(`call ${reservation.request_id} has ended and cannot grow`)
  checkQuota(more)
  return availably(reservations.extend(reservation, more))
}

/** Bills a call. Resolves when that is durable, so the last byte of the answer waits for it. */
export async function settle(reservation: Reservation, bill: Settlement): Promise<void> {
  checkQuota(bill.quota)
  end(reservation)
  await enqueue({ ...reservation, at: now(), bill })
}

/** Ends a call that costs nothing. */
export async function release(reservation: Reservation): Promise<void> {
  end(reservation)
  if (reservations.durable) await enqueue({ ...reservation, at: now() })
  else reservations.forget([reservation])
}

const isOpen = (reservation: Reservation) => open.get(reservation.request_id) === reservation

function end(reservation: Reservation) {
  if (!isOpen(reservation)) throw new Error(`call ${reservation.request_id} has already ended`)
  open.delete(reservation.request_id)
}

/** A bill is never a credit, and never a fraction. */
function checkQuota(quota: number) {
  if (!Number.isSafeInteger(quota) || quota < 0) throw new Error(`${quota} is no quota`)
}

const unavailable = () => new Refusal('wallet.unavailable', {}, 503)

async function availably<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw refusedIfTransient(error)
  }
}

/** An error of a database that cannot work now as a refusal with 503; any other error as it is. */
export const refusedIfTransient = (error: unknown): unknown => (isTransientError(error) ? unavailable() : error)
