/**
 * Attempts to prove who one is: passwords, codes of second factors, codes by mail. Failures count where they come from, so
 * that only their author is locked; all unknown browsers together are slowed down.
 */
import { SlidingWindow } from '../../cluster/sliding-window.ts'
import { foldName } from '../../contracts/account.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { subscriberAt } from '../../pure/ip.ts'
import type { User } from '../users/table.ts'
import { hasSessionFrom, type Session } from './sessions.ts'

/** Failed attempts of one browser, address or session with one account. */
const FAILURES_MAX = 10
const FAILURES_SECONDS = 900
/** Attempts of all unknown browsers with one account before they wait for each other. */
const UNKNOWN_MAX = 100
const UNKNOWN_SECONDS = 3600
/** Seconds between two attempts for each attempt over the maximum: about a hundred guesses an hour from any number of addresses. */
const PACE_SECONDS = 10
/** Attempts that are remembered: the pace stops growing here. */
const UNKNOWN_KEPT = 2 * UNKNOWN_MAX

const failures = new SlidingWindow('login-failures')

/** The user, or the login that was typed when there is no such user. */
export type AttemptedAccount = Pick<User, 'id' | 'password'> | string

/** Where an attempt comes from. */
export interface AttemptOrigin {
  address: string
  /** The id of a browser in which this user has signed in before. */
  deviceOf(user: Pick<User, 'id' | 'password'>): string | undefined
}

/**
 * Counts an attempt before it is checked, so that concurrent guesses cannot exceed the limit. A known browser and an
 * address with a session of the user pass whatever others do.
 * @throws Refusal 429 with the seconds to wait
 */
export async function countAttempt(account: AttemptedAccount, origin: AttemptOrigin) {
  const { device, own, unknown } = keysOf(account, origin)
  const isKnown = device !== undefined || (excessOf(unknown) >= 0 && (await hasSignedInFrom(account, origin.address)))
  // No await from here on: of concurrent attempts each sees the ones before.
  refuseFor(failures.wait(own, FAILURES_MAX, FAILURES_SECONDS))
  const excess = excessOf(unknown)
  if (!isKnown && excess >= 0) refuseFor(failures.take(`${unknown} pace`, 1, (excess + 1) * PACE_SECONDS))
  failures.add(own, FAILURES_MAX, FAILURES_SECONDS)
  if (device === undefined) failures.add(unknown, UNKNOWN_KEPT, UNKNOWN_SECONDS)
}

/** After a complete sign-in. Not after a right password alone: it would free guesses of the second factor. */
export const forgetAttempts = (account: AttemptedAccount, origin: AttemptOrigin) =>
  failures.forget(keysOf(account, origin).own)

/** An attempt of a signed-in user, which counts for the session alone. @throws Refusal 429 */
export const countOwnAttempt = (user_id: number, session: Session | undefined) =>
  refuseFor(failures.take(ownKey(user_id, session), FAILURES_MAX, FAILURES_SECONDS))

export const forgetOwnAttempts = (user_id: number, session: Session | undefined) =>
  failures.forget(ownKey(user_id, session))

function refuseFor(seconds: number) {
  if (seconds) throw new Refusal('account.login_throttled', { seconds }, 429)
}

function keysOf(account: AttemptedAccount, { address, deviceOf }: AttemptOrigin) {
  const isUser = typeof account !== 'string'
  const name = isUser ? `user ${account.id}` : `login ${foldName(account)}`
  const device = isUser ? deviceOf(account) : undefined
  const own = device === undefined ? `${name} at ${subscriberAt(address)}` : `${name} device ${device}`
  return { device, own, unknown: `${name} unknown` }
}

/** All access tokens of a user share one count: there is only one. */
const ownKey = (user_id: number, session: Session | undefined) => `user ${user_id} session ${session?.id ?? ''}`

const excessOf = (unknown: string) => failures.count(unknown, UNKNOWN_SECONDS) - UNKNOWN_MAX

const hasSignedInFrom = async (account: AttemptedAccount, address: string) =>
  typeof account !== 'string' && (await hasSessionFrom(account.id, subscriberAt(address)))
