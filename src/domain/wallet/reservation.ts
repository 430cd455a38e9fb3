/** Quota that is spoken for by calls that still run. Where it is kept differs by engine; the rule is one. */

import { Refusal } from '../../contracts/refusal.ts'
import type { Query } from '../../db/atomic.ts'
import type { Tx } from '../../db/database.ts'

export interface Reservation {
  readonly request_id: string
  readonly user_id: number
  /** 0 where no token is used. */
  readonly token_id: number
  /** Only the user's balance limits, not the token's. */
  readonly unlimited: boolean
  quota: number
}

export interface Reservations {
  /** Whether a reservation is a row, which outlives the process unless it is deleted. */
  durable: boolean
  /** @throws Refusal when the user or the token has less left than this. */
  hold(ask: Reservation): Promise<void>
  /** Holds more for a running call, and says so in the reservation, if there is more. */
  extend(reservation: Reservation, more: number): Promise<boolean>
  /** Part of the transaction in which the calls end. */
  free(tx: Tx, ended: readonly Reservation[]): Generator<Query<unknown>, void>
  /** After that transaction. */
  forget(ended: readonly Reservation[]): void
}

/** What a user and a token have, and how much of it is held by open reservations. */
export interface Funds {
  balance: number
  remain: number
  held: number
  held_of_token: number
}

/** Why `quota` more cannot be held, with both sums; nothing when it can. */
export function shortage(funds: Funds, { unlimited }: Reservation, quota: number): Refusal | undefined {
  const left = funds.balance - funds.held
  if (left < quota) return new Refusal('wallet.insufficient_user_quota', { left, needed: quota }, 403)
  const leftOfToken = funds.remain - funds.held_of_token
  if (!unlimited && leftOfToken < quota)
    return new Refusal('wallet.insufficient_token_quota', { left: leftOfToken, needed: quota }, 403)
}
