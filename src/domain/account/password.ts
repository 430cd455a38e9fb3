/** Passwords: checked at sign-in and before dangerous steps. */
import { and, eq } from 'drizzle-orm'
import { invalidate } from '../../cluster/invalidation.ts'
import { Refusal } from '../../contracts/refusal.ts'
import {
  checkPasswordQueue,
  hashPassword,
  isOutdated,
  isPasswordQueueFull,
  verifyPassword,
} from '../../crypto/passwords.ts'
import { db } from '../../db/database.ts'
import { option } from '../options/index.ts'
import { anyUser, isEnabled, userByLogin } from '../users/index.ts'
import { type User, users } from '../users/table.ts'
import { type AttemptOrigin, countAttempt, countOwnAttempt } from './attempts.ts'
import type { Session } from './sessions.ts'

/**
 * The user with this name or e-mail address and password.
 * @throws Refusal `account.login_wrong` alike for an unknown name, a wrong password and a banned user; 429, 503
 */
export async function checkPassword(login: string, password: string, origin: AttemptOrigin): Promise<User> {
  if (!option('PasswordLoginEnabled')) throw new Refusal('account.password_login_disabled')
  checkPasswordQueue()
  const user = await userByLogin(login)
  // One counter per account, for its name and its e-mail address.
  await countAttempt(user ?? login, origin)
  const isRight = await verifyPassword(password, user?.password)
  if (!user || !isRight || !isEnabled(user)) throw new Refusal('account.login_wrong')
  return isOutdated(user.password) ? renewHash(user, password) : user
}

/** Stores a hash of today's cost for the same password, unless the password has just been changed or many others wait. */
async function renewHash(user: User, text: string): Promise<User> {
  if (isPasswordQueueFull()) return user
  const password = await hashPassword(text)
  const isSame = and(eq(users.id, user.id), eq(users.password, user.password))
  const [renewed] = await db.update(users).set({ password }).where(isSame).returning()
  invalidate('user', user.id)
  if (renewed) return renewed
  // A sign-in in the same moment has renewed it, or the password has changed.
  const current = await anyUser(user.id)
  if (!current || !(await verifyPassword(text, current.password))) throw new Refusal('account.login_wrong')
  return current
}

/** The password of the signed-in user, asked for again. @throws Refusal at `password`; 429, 503 */
export async function checkOwnPassword({ id, password: hash }: User, password: string, session: Session | undefined) {
  checkPasswordQueue()
  countOwnAttempt(id, session)
  if (!(await verifyPassword(password, hash))) throw new Refusal('security.password_wrong', {}, 200, 'password')
}
