/** What users do with their own account: profile, password, access token, deletion. */
import { and, eq, isNull, ne } from 'drizzle-orm'
import { announce } from '../../cluster/changes.ts'
import { Role } from '../../contracts/account.ts'
import type { ProfileEdit } from '../../contracts/profile.ts'
import { notFound, Refusal } from '../../contracts/refusal.ts'
import { checkPasswordQueue, hashPassword, type QueueTicket, verifyPassword } from '../../crypto/passwords.ts'
import { randomKey } from '../../crypto/random-id.ts'
import { digest } from '../../crypto/sealing.ts'
import { atomic, lock, run } from '../../db/atomic.ts'
import { atomicUnless } from '../../db/atomic-unless.ts'
import { db } from '../../db/database.ts'
import { now } from '../../process/clock.ts'
import { anyUser, renamed, usernameTaken } from '../users/index.ts'
import { type User, users } from '../users/table.ts'
import { counted, countOwnAttempt } from './attempts.ts'
import { knownTicket } from './password-tickets.ts'
import { endSessions, isConfirmed, type Session } from './sessions.ts'
import { sessions } from './table.ts'

/** Changes the fields that are not empty. @throws Refusal at the field; names of deleted users stay taken */
export async function editProfile(user_id: number, edit: ProfileEdit, session: Session | undefined) {
  const { username, display_name, password, original_password = '' } = edit
  if (password) await changePassword(user_id, { password, original_password }, session)
  if (!username && !display_name) return
  await atomicUnless(usernameTaken, function* (tx) {
    const [user] = yield* lock(tx, users, eq(users.id, user_id))
    const names = user && username ? yield* renamed(tx, user, username) : {}
    const change = { ...names, ...(display_name && { display_name }) }
    if (Object.keys(change).length) yield* run(tx.update(users).set(change).where(eq(users.id, user_id)))
    yield* announce(tx, 'user', [user_id])
  })
}

interface PasswordChange {
  password: string
  original_password: string
}

/**
 * Sets a new password; every other session and the access token end. An account without a password has nothing to ask
 * for: a recent confirmation stands in for it.
 * @throws Refusal `me.original_password_wrong`, `security.confirm_required`, 429, 503
 */
export async function changePassword(user_id: number, change: PasswordChange, session: Session | undefined) {
  const user = await anyUser(user_id)
  if (!user) throw notFound()
  const ticket = await knownTicket(user_id)
  await checkOriginal(user, change.original_password, session, ticket)
  const password = await hashPassword(change.password, ticket)
  await atomic(function* (tx) {
    const [current] = yield* lock(tx, users, eq(users.id, user_id))
    if (current?.password !== user.password)
      throw new Refusal('me.original_password_wrong', {}, 200, 'original_password')
    yield* run(tx.update(users).set({ password, access_token_hash: null }).where(eq(users.id, user_id)))
    yield* run(
      tx.delete(sessions).where(and(eq(sessions.user_id, user_id), session && ne(sessions.id, digest(session.id)))),
    )
    yield* announce(tx, 'user', [user_id])
  })
}

async function checkOriginal(user: User, original: string, session: Session | undefined, ticket: QueueTicket) {
  checkPasswordQueue(ticket)
  if (!user.password) {
    if (isConfirmed(session)) return
    throw new Refusal('security.confirm_required', {}, 403)
  }
  const attempt = await countOwnAttempt(user.id, session)
  if (!(await counted(attempt, () => verifyPassword(original, user.password, ticket))))
    throw new Refusal('me.original_password_wrong', {}, 200, 'original_password')
}

const ACCESS_TOKEN_LENGTH = 32

/** A new system access token in place of the old one: 32 characters, shown once and stored as its hash. */
export async function newAccessToken(user_id: number): Promise<string> {
  const token = randomKey(ACCESS_TOKEN_LENGTH)
  await db
    .update(users)
    .set({ access_token_hash: digest(token) })
    .where(eq(users.id, user_id))
  return token
}

/** Deletes the account: its name, addresses and ids stay taken, its ledger and usage stay. @throws Refusal for root */
export async function deleteOwnAccount({ id, role }: Pick<User, 'id' | 'role'>) {
  if (role >= Role.root) throw new Refusal('me.root_stays')
  await atomic(function* (tx) {
    yield* run(
      tx
        .update(users)
        .set({ deleted_time: now(), access_token_hash: null })
        .where(and(eq(users.id, id), isNull(users.deleted_time))),
    )
    yield* endSessions(tx, id)
    yield* announce(tx, 'user', [id])
  })
}
