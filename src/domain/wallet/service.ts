/** The money of calls: a call reserves quota, may extend it, and settles or releases exactly once. */
import { isTransientError } from '../../db/transient-error.ts'
import { now, stopwatch } from '../../process/clock.ts'
import { type Awaitable, chain } from '../../pure/awaitable.ts'
import type { MakeRecord, Settlement } from './ended-call.ts'
import { observeReserve } from './metrics.ts'
import { enqueue, isStuck } from './queue.ts'
import { type DecideQuota, type Reservation, unavailable } from './reservation.ts'
import { open, reservations } from './reservations.ts'

export type { Reservation, Settlement }

/**
 * Holds quota for a call that is about to run.
 * @param decide the quota, where it depends on what is free
 * @throws Refusal 403 `wallet.insufficient_user_quota` or `wallet.insufficient_token_quota`; 503 `wallet.unavailable`
 * while the database takes no bills
 */
export function reserve(request: Reservation, decide: DecideQuota = () => request.quota): Awaitable<Reservation> {
  const reservation = { ...request }
  if (open.has(request.request_id)) throw new Error(`call ${request.request_id} has already begun`)
  if (isStuck()) throw unavailable()
  const elapsed = stopwatch()
  const held = orUnavailable(() => reservations.hold(reservation, free => checkedQuota(decide(free))))
  return chain(held, () => {
    observeReserve(elapsed())
    open.set(request.request_id, reservation)
    return reservation
  })
}

/** Holds more quota for a call that outgrows its reservation. @throws Refusal as `reserve`, with the sums of the whole call */
export async function extend(reservation: Reservation, more: number): Promise<void> {
  if (!isOpen(reservation)) throw new Error(`call ${reservation.request_id} has ended and cannot be extended`)
  checkedQuota(more)
  await orUnavailable(() => reservations.extend(reservation, more))
}

/** Bills a call. Resolves after the commit, which the last byte of the response waits for. */
export async function settle(reservation: Reservation, bill: Settlement, record?: MakeRecord): Promise<void> {
  checkedQuota(bill.quota)
  end(reservation)
  await enqueue({ ...reservation, at: now(), bill, record })
}

/** Ends a call without a bill. */
export async function release(reservation: Reservation, record?: MakeRecord): Promise<void> {
  end(reservation)
  if (reservations.durable || record) await enqueue({ ...reservation, at: now(), record })
  else reservations.forget([reservation])
}

/** Number of calls of this process that have not ended. */
export const openCalls = () => open.size

const isOpen = (reservation: Reservation) => open.get(reservation.request_id) === reservation

function end(reservation: Reservation) {
  if (!isOpen(reservation)) throw new Error(`call ${reservation.request_id} has already ended`)
  open.delete(reservation.request_id)
}

/** @throws Error for a negative or fractional quota: a bill is never a credit */
function checkedQuota(quota: number): number {
  if (!Number.isSafeInteger(quota) || quota < 0) throw new Error(`${quota} is no quota`)
  return quota
}

function orUnavailable<T>(work: () => Awaitable<T>): Awaitable<T> {
  const refuse = (error: unknown) => {
    throw refusedIfTransient(error)
  }
  try {
    const result = work()
    return result instanceof Promise ? result.catch(refuse) : result
  } catch (error) {
    return refuse(error)
  }
}

/** An error of a database that cannot work now as a refusal with 503; any other error as it is. */
export const refusedIfTransient = (error: unknown): unknown => (isTransientError(error) ? unavailable() : error)
