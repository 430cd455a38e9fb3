/** The money of calls: a call reserves quota, may extend it, and settles or releases exactly once. */
import { isTransientError } from '../../db/transient-error.ts'
import { now, stopwatch } from '../../process/clock.ts'
import { type Awaitable, chain } from '../../pure/awaitable.ts'
import {
  areBudgets,
  type Booking,
  BudgetExhausted,
  type BudgetHold,
  type BudgetRow,
  bookingsOf,
  budgetsOf,
  budgetsOfCaller,
  budgetsOfTarget,
  budgetsVersion,
} from '../budgets/index.ts'
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
  if (open.has(request.request_id)) throw new Error(`call ${request.request_id} has already begun`)
  if (isStuck()) throw unavailable()
  const { user_id, token_id, model } = request
  const elapsed = stopwatch()
  const budgets_version = budgetsVersion()
  const found = areBudgets() ? orUnavailable(() => budgetsOfCaller(user_id, token_id, model)) : undefined
  return chain(found, budgets => {
    const reservation: Reservation = budgets
      ? { ...request, budgets, budgets_version }
      : { ...request, budgets_version }
    const held = orUnavailable(() => reservations.hold(reservation, (...free) => checkedQuota(decide(...free))))
    return chain(held, () => {
      observeReserve(elapsed())
      open.set(request.request_id, reservation)
      return reservation
    })
  })
}

/**
 * Holds what a call needs of the budgets of a channel and of the key that serves it, in place of those of the one before.
 * @returns why there is no room; undefined once it is held, at once for a channel without budgets
 */
export function holdOfChannel(
  reservation: Reservation,
  channel_id: number,
  key: string,
): Awaitable<BudgetExhausted | undefined> {
  if (!areBudgets()) return undefined
  reservation.budgets_of_channel = channel_id
  const before = reservation.holds?.filter(({ budget }) => budget.owner === 'channel') ?? []
  const found = orUnavailable(() => budgetsOfTarget(channel_id, key, reservation.model))
  return chain(found, (counting = []) => {
    const left = before.filter(({ budget }) => !counting.some(({ id }) => id === budget.id))
    const budgets = counting.filter(({ id }) => !before.some(({ budget }) => budget.id === id))
    return budgets.length || left.length ? moveHolds(reservation, { channel_id, left, budgets }) : undefined
  })
}

interface ChannelHolds {
  channel_id: number
  /** What it holds no more. */
  left: BudgetHold[]
  /** Those that it holds beside what it keeps. */
  budgets: readonly BudgetRow[]
}

function moveHolds(reservation: Reservation, { channel_id, left, budgets }: ChannelHolds) {
  if (!isOpen(reservation)) throw new Error(`call ${reservation.request_id} has ended and can hold no budget`)
  return chain(giveBack(reservation, left), () => {
    if (!budgets.length) return undefined
    reservation.tokens ??= reservation.tokensOf?.(Number.POSITIVE_INFINITY) ?? 0
    try {
      const held = orUnavailable(() => reservations.holdOfChannel(reservation, channel_id, budgets))
      return held instanceof Promise ? held.then(() => undefined, refusalOf) : undefined
    } catch (error) {
      return refusalOf(error)
    }
  })
}

function giveBack(reservation: Reservation, holds: BudgetHold[]): Awaitable<void> {
  if (!holds.length) return
  reservation.holds = reservation.holds?.filter(hold => !holds.includes(hold))
  return orUnavailable(() => reservations.giveBack(reservation, holds))
}

/** @throws what is no refusal of a budget */
function refusalOf(error: unknown): BudgetExhausted {
  if (error instanceof BudgetExhausted) return error
  throw error
}

/** Holds more quota for a call that outgrows its reservation. @throws Refusal as `reserve`, with the sums of the whole call */
export async function extend(reservation: Reservation, more: number, tokens = 0): Promise<void> {
  if (!isOpen(reservation)) throw new Error(`call ${reservation.request_id} has ended and cannot be extended`)
  checkedQuota(more)
  await orUnavailable(() => reservations.extend(reservation, { quota: more, tokens }))
}

/** Bills a call. Resolves after the commit, which the last byte of the response waits for. */
export async function settle(reservation: Reservation, bill: Settlement, record?: MakeRecord): Promise<void> {
  checkedQuota(bill.quota)
  end(reservation)
  const found = areBudgets() ? bookingsFor(reservation, bill) : undefined
  const bookings = found instanceof Promise ? await found : found
  await enqueue({ ...reservation, at: now(), bill, record, bookings })
}

/** Budgets that were made while the call ran are not held: they count it as outside of their windows. */
function bookingsFor(reservation: Reservation, bill: Settlement): Awaitable<Booking[] | undefined> {
  const { user_id, token_id, holds = [] } = reservation
  const { model, channel_id } = bill
  if (holdsAll(reservation, bill)) return bookingsOf(holds, [], bill)
  const known = chain(budgetsOfCaller(user_id, token_id, model), (ofCaller = []) =>
    chain(budgetsOf('channel', channel_id, model), (ofChannel = []) => [...ofCaller, ...ofChannel]),
  )
  // Without the database only what is held is known: a bill never waits for more.
  return chain(known instanceof Promise ? known.catch(() => []) : known, found => bookingsOf(holds, found, bill))
}

/** Whether the budgets that the bill counts in are those that were found. */
const holdsAll = ({ model, budgets_version, budgets_of_channel }: Reservation, bill: Settlement) =>
  budgets_version === budgetsVersion() && budgets_of_channel === bill.channel_id && model === bill.model

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
  // Old tables of `open` keep the reservation until a full collection of garbage, and it would keep the request.
  reservation.tokensOf = undefined
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
