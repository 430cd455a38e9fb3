/**
 * Attempts to prove who one is: passwords, codes of second factors, codes by mail. Failures count where they come from, so
 * that only their author is locked; all unknown browsers together wait in a line.
 */
import { addEvent, countEvents, type Decision, decide, forgetEvents, takeBack } from '../../cluster/limits.ts'
import { SlidingWindow } from '../../cluster/sliding-window.ts'
import { foldName } from '../../contracts/account.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { type Awaitable, chain } from '../../pure/awaitable.ts'
import { subscriberAt } from '../../pure/ip.ts'
import type { User } from '../users/table.ts'
import { hasSessionFrom, type Session } from './sessions.ts'
import { takeTurn } from './sign-in-queue.ts'

/** Failed attempts of one browser, address or session with one account. */
const FAILURES_MAX = 10
const FAILURES_SECONDS = 900
/** Attempts of all unknown browsers with one account, for each step, before they wait in a line. */
const UNKNOWN_MAX = 100
const UNKNOWN_SECONDS = 3600

const failures = new SlidingWindow('login-failures')

/** The user, or the login that was typed when there is no such user. */
export type AttemptedAccount = Pick<User, 'id' | 'password' | 'role'> | string

/** Where an attempt comes from. */
export interface AttemptOrigin {
  address: string
  /** The id of a browser in which this user has signed in before. */
  deviceOf(user: Pick<User, 'id' | 'password'>): string | undefined
}

/** Strangers take part in the second step only with the right password: their guesses do not delay it. */
type AttemptStep = 'first' | 'second'

/** Counts an attempt before it is checked. @throws Refusal 429 with the seconds to wait */
export async function countAttempt(account: AttemptedAccount, origin: AttemptOrigin, step?: AttemptStep) {
  const count = await prepareAttempt(account, origin, step)
  await count()
}

/** Of an attempt. */
export type CountedAttempt = Decision

/**
 * A known browser and an address with a session of the user pass whatever others do.
 * @returns what counts the attempt, for the moment at which its check begins: of concurrent attempts each sees the ones
 * before, and one that is refused for another reason does not count: see `counted`. It throws Refusal 429 with the seconds
 * to wait
 */
export async function prepareAttempt(
  account: AttemptedAccount,
  origin: AttemptOrigin,
  step: AttemptStep = 'first',
): Promise<() => Awaitable<CountedAttempt>> {
  const { device, own, unknown } = keysOf(account, origin, step)
  const isKnown =
    device !== undefined || ((await isCrowded(unknown)) && (await hasSignedInFrom(account, origin.address)))
  return () => {
    const events = { window: failures, key: unknown, count: UNKNOWN_MAX, seconds: UNKNOWN_SECONDS }
    const counting = decide([
      { kind: 'take', window: failures, key: own, count: FAILURES_MAX, seconds: FAILURES_SECONDS },
      { kind: device === undefined ? 'fill' : 'count', ...events },
    ])
    return chain(counting, counted => {
      refuseFor(counted.wait)
      return isKnown || counted.counts[1]! < UNKNOWN_MAX ? counted : waitInLine(unknown, origin, counted)
    })
  }
}

/** An unknown browser in the line of a crowded account. @throws Refusal 429 before its turn, and counts nothing then */
const waitInLine = (unknown: string, { address }: AttemptOrigin, counted: Decision): Awaitable<CountedAttempt> =>
  chain(takeTurn(unknown, subscriberAt(address)), seconds => {
    if (seconds) return chain(takeBack(counted), () => throttled(seconds))
    return chain(addEvent(failures, unknown, UNKNOWN_MAX, UNKNOWN_SECONDS), () => counted)
  })

/** After a complete sign-in. Not after a right password alone: it would free guesses of the second factor. */
export const forgetAttempts = (account: AttemptedAccount, origin: AttemptOrigin) =>
  forgetEvents(failures, keysOf(account, origin, 'first').own, FAILURES_SECONDS)

/** An attempt of a signed-in user, right or wrong, which counts for the session alone. @throws Refusal 429 */
export function countOwnAttempt(user_id: number, session: Session | undefined): Awaitable<CountedAttempt> {
  const key = ownKey(user_id, session)
  const rule = { kind: 'take', window: failures, key, count: FAILURES_MAX, seconds: FAILURES_SECONDS } as const
  return chain(decide([rule]), counted => {
    refuseFor(counted.wait)
    return counted
  })
}

/** Checks what is counted. One that loses its place in the queue does not count: it was not checked. */
export async function counted<Result>(attempt: CountedAttempt, check: () => Promise<Result>): Promise<Result> {
  try {
    return await check()
  } catch (error) {
    await takeBack(attempt)
    throw error
  }
}

function refuseFor(seconds: number) {
  if (seconds) throttled(seconds)
}

function throttled(seconds: number): never {
  throw new Refusal('account.login_throttled', { seconds }, 429)
}

function keysOf(account: AttemptedAccount, { address, deviceOf }: AttemptOrigin, step: AttemptStep) {
  const name = nameOf(account)
  const device = typeof account === 'string' ? undefined : deviceOf(account)
  const own = device === undefined ? `${name} at ${subscriberAt(address)}` : `${name} device ${device}`
  return { device, own, unknown: `${name} unknown ${step}` }
}

/** One for the name and the e-mail address of a user. */
export const nameOf = (account: AttemptedAccount): string =>
  typeof account === 'string' ? `login ${foldName(account)}` : `user ${account.id}`

/** All access tokens of a user share one count: there is only one. */
const ownKey = (user_id: number, session: Session | undefined) => `user ${user_id} session ${session?.id ?? ''}`

const isCrowded = async (unknown: string) => (await countEvents(failures, unknown, UNKNOWN_SECONDS)) >= UNKNOWN_MAX

const hasSignedInFrom = async (account: AttemptedAccount, address: string) =>
  typeof account !== 'string' && (await hasSessionFrom(account.id, subscriberAt(address)))
