/** Passwords: checked at sign-in and before dangerous steps. */
import { and, eq } from 'drizzle-orm'
import { announce } from '../../cluster/changes.ts'
import { Refusal } from '../../contracts/refusal.ts'
import {
  checkPasswordQueue,
  hashPassword,
  isOutdated,
  type QueueTicket,
  verifyPassword,
} from '../../crypto/passwords.ts'
import { atomic, run } from '../../db/atomic.ts'
import { chain } from '../../pure/awaitable.ts'
import { option } from '../options/index.ts'
import { anyUser, isEnabled, userByLogin } from '../users/index.ts'
import { type User, users } from '../users/table.ts'
import { type AttemptOrigin, counted, countOwnAttempt, prepareAttempt } from './attempts.ts'
import { countWork, knownTicket, ticketFor } from './password-tickets.ts'
import type { Session } from './sessions.ts'

/**
 * The user with this name or e-mail address and password.
 * @throws Refusal `account.login_wrong` alike for an unknown name, a wrong password and a banned user; 429, 503
 */
export async function checkPassword(login: string, password: string, origin: AttemptOrigin): Promise<User> {
  if (!option('PasswordLoginEnabled')) throw new Refusal('account.password_login_disabled')
  const user = await userByLogin(login)
  // One counter per account, for its name and its e-mail address.
  const account = user ?? login
  const countAttempt = await prepareAttempt(account, origin)
  const ticket = await ticketFor(account, origin)
  checkPasswordQueue(ticket)
  // In the tick that has seen room in the queue, where the count is at hand: what is counted is checked.
  const verify = () => verifyPassword(password, user?.password, ticket)
  const isRight = await chain(countAttempt(), attempt => counted(attempt, verify))
  if (!isRight) await countWork(origin)
  if (!user || !isRight || !isEnabled(user)) throw new Refusal('account.login_wrong')
  return isOutdated(user.password) ? renewHash(user, password) : user
}

/** Stores a hash of today's cost for the same password. Who has proved it is known: strangers do not delay it. */
async function renewHash(user: User, text: string): Promise<User> {
  const ticket = await knownTicket(user.id)
  const password = await hashPassword(text, ticket)
  const isSame = and(eq(users.id, user.id), eq(users.password, user.password))
  const renewed = await atomic(function* (tx) {
    const [renewed] = yield* run(tx.update(users).set({ password }).where(isSame).returning())
    yield* announce(tx, 'user', [user.id])
    return renewed
  })
  return renewed ?? renewedElsewhere(user, text, ticket)
}

/** A sign-in in the same moment has renewed the hash, or the password has changed. @throws Refusal `account.login_wrong` */
async function renewedElsewhere({ id }: User, text: string, ticket: QueueTicket): Promise<User> {
  const user = await anyUser(id)
  if (!user || !(await verifyPassword(text, user.password, ticket))) throw new Refusal('account.login_wrong')
  return user
}

/** The password of the signed-in user, asked for again. @throws Refusal at `password`; 429, 503 */
export async function checkOwnPassword({ id, password: hash }: User, password: string, session: Session | undefined) {
  const ticket = await knownTicket(id)
  checkPasswordQueue(ticket)
  const verify = () => verifyPassword(password, hash, ticket)
  const isRight = await chain(countOwnAttempt(id, session), attempt => counted(attempt, verify))
  if (!isRight) throw new Refusal('security.password_wrong', {}, 200, 'password')
}
