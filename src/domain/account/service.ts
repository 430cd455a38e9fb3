/** Signing in and out. A session is a row; its cookie only names it. */
import { and, eq, gt, isNull, lt } from 'drizzle-orm'
import { SlidingWindow } from '../../cluster/sliding-window.ts'
import type { SessionClaims } from '../../console/session-cookie.ts'
import { SESSION_SECONDS } from '../../contracts/account.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { verifyPassword } from '../../crypto/passwords.ts'
import { randomToken } from '../../crypto/random-id.ts'
import { digest } from '../../crypto/sealing.ts'
import { atomic, lock, run } from '../../db/atomic.ts'
import { db, type Tx } from '../../db/database.ts'
import { now } from '../../process/clock.ts'
import { log, reason } from '../../process/log.ts'
import { option } from '../options/index.ts'
import { isEnabled, userByLogin } from '../users/index.ts'
import type { User } from '../users/table.ts'
import { users } from '../users/table.ts'
import { sessions } from './table.ts'

export interface Visitor {
  address: string
  /** The browser's own description of itself. */
  device: string
}

const SESSION_ID_BYTES = 32
const LAST_SEEN_STEP_SECONDS = 300
const DEVICE_MAX = 200

/** Wrong passwords per account, wherever they come from. */
const FAILURES_MAX = 10
const FAILURES_SECONDS = 900
const failures = new SlidingWindow('login-failures')

/** The user behind a name and a password.
 * @throws Refusal the same one for an unknown name, a wrong password and a banned user. */
export async function checkPassword(login: string, password: string): Promise<User> {
  if (!option('PasswordLoginEnabled')) throw new Refusal('account.password_login_disabled')
  const user = await userByLogin(login)
  // By whichever of its names somebody tries it, an account is one.
  const account = user ? `user ${user.id}` : login.toLowerCase()
  // A try counts as wrong until it proves right: a thousand at the same moment are not a thousand guesses.
  const seconds = failures.take(account, FAILURES_MAX, FAILURES_SECONDS)
  if (seconds) throw new Refusal('account.login_throttled', { seconds }, 429)
  const right = await verifyPassword(password, user?.password)
  if (!user || !right || !isEnabled(user)) throw new Refusal('account.login_wrong')
  failures.forget(account)
  return user
}

/**
 * Opens a session for whoever has just proved to be this user.
 * @returns the id that goes into the cookie, and nowhere else
 * @throws Refusal when the password was changed meanwhile: that change has ended all sessions, and this is one
 */
export async function openSession({ id: user_id, password }: Pick<User, 'id' | 'password'>, visitor: Visitor) {
  const id = randomToken(SESSION_ID_BYTES)
  const at = now()
  await db.delete(sessions).where(lt(sessions.expires_time, at))
  await atomic(function* (tx) {
    // A change of the password comes either before or after all of this.
    const [user] = yield* lock(tx, users, eq(users.id, user_id))
    if (user?.password !== password) throw new Refusal('account.login_wrong')
    yield* run(
      tx.insert(sessions).values({
        id: digest(id),
        user_id,
        device: visitor.device.slice(0, DEVICE_MAX),
        address: visitor.address,
        created_time: at,
        last_seen: at,
        expires_time: at + SESSION_SECONDS,
      }),
    )
  })
  return id
}

/**
 * Whose a cookie's session is, while it lives. Asked of the database each time: another process may have ended it, or
 * changed the user.
 */
export async function sessionUser({ session_id, user_id }: SessionClaims): Promise<User | undefined> {
  const isTheirs = and(eq(sessions.id, digest(session_id)), eq(sessions.user_id, user_id))
  const [found] = await db
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.user_id))
    .where(and(isTheirs, gt(sessions.expires_time, now()), isNull(users.deleted_time)))
  if (!found) return undefined
  const { session, user } = found
  if (now() - session.last_seen >= LAST_SEEN_STEP_SECONDS) await noteSeen(session.id)
  return user
}

/** Where nothing can be written just now, those who are signed in still read. */
const noteSeen = (id: string) =>
  db
    .update(sessions)
    .set({ last_seen: now() })
    .where(eq(sessions.id, id))
    .catch(error => log.warn('a session’s use was not noted', { reason: reason(error) }))

export async function closeSession(id: string) {
  await db.delete(sessions).where(eq(sessions.id, digest(id)))
}

/** "Sign out everywhere": after a ban, a role change, a new password, a deletion. */
export function* endSessions(tx: Tx, user_id: number) {
  yield* run(tx.delete(sessions).where(eq(sessions.user_id, user_id)))
}
