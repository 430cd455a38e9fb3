/** A reservation: quota held for a running call. The engines store it differently and share the rule. */
import { sql } from 'drizzle-orm'
import { UserStatus } from '../../contracts/account.ts'
import { Refusal } from '../../contracts/refusal.ts'
import type { Query } from '../../db/atomic.ts'
import type { Tx } from '../../db/database.ts'
import type { Awaitable } from '../../pure/awaitable.ts'
import {
  BudgetExhausted,
  type BudgetHold,
  type BudgetRow,
  type BudgetState,
  holdsIn,
  leftIn,
} from '../budgets/index.ts'
import { users } from '../users/table.ts'
import type { ChargedBalance } from './charged.ts'

export interface Reservation {
  readonly request_id: string
  readonly user_id: number
  /** 0 for a call without a token. */
  readonly token_id: number
  /** Only the user's balance limits the call, not the token's quota. */
  readonly unlimited: boolean
  /** As its usage is listed: budgets may be for some models alone. */
  readonly model: string
  /** Tokens that the call may take, once its quota is decided. @param free tokens that budgets have left. 0 unless given */
  tokensOf?(free: number): number
  quota: number
  /** Budgets of user and key that the call counts against; absent for most. */
  readonly budgets?: readonly BudgetRow[]
  /** Version of the budgets among which these were found, and the channel whose budgets were looked up last. */
  budgets_version?: number
  budgets_of_channel?: number
  /** What it holds of budgets, with those of its channel. */
  holds?: BudgetHold[]
  /** Tokens that it holds of them. */
  tokens?: number
}

/**
 * Where at least this many times the quota is free that a call decides for an endless balance, it decides the same: such
 * calls are held without being asked again.
 */
export const PLENTY = 4

/**
 * The quota that a call holds. It is decided where no other call can take what is free meanwhile.
 * @param free what the user's balance, a limited token's quota and the budgets all have left
 * @param free_tokens what budgets of tokens have left
 */
export type DecideQuota = (free: number, free_tokens: number) => number

export interface ReservationStore {
  /** Reservations are rows, which outlive the process unless they are deleted. */
  durable: boolean
  /** Sets the reservation's quota and holds it. @throws Refusal 403 when the user or the token has less left */
  hold(reservation: Reservation, decide: DecideQuota): Awaitable<void>
  /**
   * Holds more for a running call and adds it to the reservation.
   * @throws Refusal 403 when the quota is not there, or `wallet.user_inactive`, which ends the call of a user who was
   * banned meanwhile
   */
  extend(reservation: Reservation, more: More): Promise<void>
  /** Holds for a running call what its channel's budgets ask for. @throws BudgetExhausted */
  holdOfChannel(reservation: Reservation, channel_id: number, budgets: readonly BudgetRow[]): Awaitable<void>
  /** Gives back what a running call holds of some budgets. */
  giveBack(reservation: Reservation, holds: readonly BudgetHold[]): Awaitable<void>
  /**
   * What is known of users and tokens outlasts a transaction that only charges them. Called before its first write.
   * @returns takes what it leaves them
   */
  keepThrough(tx: Tx): (left: Remainder) => void
  /** Part of the transaction in which the calls end. */
  free(tx: Tx, ended: readonly Reservation[]): Generator<Query<unknown>, void>
  /** After that transaction. */
  forget(ended: readonly Reservation[]): void
}

/** What charged users and tokens have left. */
export interface Remainder {
  balances: readonly ChargedBalance[]
  remains: readonly { token_id: number; remain: number }[]
}

/** What a running call takes beside what it holds. */
export interface More {
  quota: number
  tokens: number
}

/** Quota of a user and a token, and the part of it that open reservations hold. */
export interface Funds {
  /** The user is neither banned nor deregistered. */
  active: boolean
  balance: number
  remain: number
  held: number
  held_of_token: number
}

/** Sets the quota of a reservation, and what it holds of budgets. @throws Refusal 403, or BudgetExhausted */
export function decideHold(
  funds: Funds,
  reservation: Reservation,
  decide: DecideQuota,
  states: readonly BudgetState[] = none,
) {
  const [left, leftOfToken] = leftOf(funds, reservation)
  const free_tokens = leftIn(states, 'tokens')
  const quota = decide(Math.min(left, leftOfToken, leftIn(states, 'quota')), free_tokens)
  checkFunds(funds, reservation, quota)
  reservation.quota = quota
  if (!states.length) return
  reservation.tokens = reservation.tokensOf?.(free_tokens) ?? 0
  reservation.holds = holdsIn(states, amountsOf(reservation))
}

const none: readonly BudgetState[] = []

/** What a call takes of budgets. */
export const amountsOf = ({ quota, tokens = 0 }: Pick<Reservation, 'quota' | 'tokens'>) => ({ quota, tokens, calls: 1 })

/** Of the user, and of the token. */
const leftOf = ({ balance, held, remain, held_of_token }: Funds, { unlimited }: Reservation): [number, number] => [
  balance - held,
  unlimited ? Number.POSITIVE_INFINITY : remain - held_of_token,
]

/** The call with what it takes beside what it holds. */
export const extended = ({ quota, tokens = 0 }: Reservation, more: More): More => ({
  quota: quota + more.quota,
  tokens: tokens + more.tokens,
})

/** Adds to a reservation, and to what it holds of budgets. */
export function growBy(reservation: Reservation, more: More) {
  const { quota, tokens } = extended(reservation, more)
  reservation.quota = quota
  if (!reservation.holds) return
  reservation.tokens = tokens
  for (const hold of reservation.holds) hold.amount = amountsOf(reservation)[hold.budget.unit]
}

/**
 * Checks that a call can hold `quota`.
 * @param held what it holds already, as a part of `quota`: the sums of the refusal are those of the whole call
 * @throws Refusal 403 with what is needed and what is left, or `wallet.user_inactive`
 */
export function checkFunds(funds: Funds, reservation: Reservation, quota: number, held = 0) {
  if (!funds.active) throw new Refusal('wallet.user_inactive', {}, 403)
  const [left, leftOfToken] = leftOf(funds, reservation).map(free => free + held) as [number, number]
  if (left < quota) throw new Refusal(shortages.user, { left, needed: quota }, 403)
  if (leftOfToken < quota) throw new Refusal(shortages.token, { left: leftOfToken, needed: quota }, 403)
}

const shortages = { user: 'wallet.insufficient_user_quota', token: 'wallet.insufficient_token_quota' } as const

/** Whether a call may not go on because its quota is used up. */
export const isShortage = (error: unknown): boolean =>
  error instanceof BudgetExhausted ||
  (error instanceof Refusal && (error.code === shortages.user || error.code === shortages.token))

export const unavailable = () => new Refusal('wallet.unavailable', {}, 503)

/** `active` of a user's row, in SQL. */
export const isActive =
  sql<boolean>`(${users.status} = ${sql.raw(String(UserStatus.enabled))} and ${users.deleted_time} is null)`.mapWith(
    Boolean,
  )
