/** Password reset by mail: a link, and the new password that it earns. */
import { and, eq, isNull } from 'drizzle-orm'
import { announce } from '../../cluster/changes.ts'
import { oncePerKey, type RepeatKey } from '../../cluster/idempotency.ts'
import { readSecret, takeSecret } from '../../cluster/one-time.ts'
import { UserStatus } from '../../contracts/account.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { hashPassword } from '../../crypto/passwords.ts'
import { randomKey, randomToken } from '../../crypto/random-id.ts'
import { atomic, lock, run } from '../../db/atomic.ts'
import { db } from '../../db/database.ts'
import type { Language } from '../../locales/languages.ts'
import { option } from '../options/index.ts'
import { users } from '../users/table.ts'
import { mailSecret } from './mail-secret.ts'
import { knownTicket } from './password-tickets.ts'
import { endAccess } from './sessions.ts'

const TOKEN_BYTES = 32
const PASSWORD_LENGTH = 16
/** The form is of a visitor. */
const NO_USER = 0

/** Of the user and the address: a link to the old address ends with it. */
const keyOf = (user_id: number, email: string) => ({ purpose: 'reset', subject: `${user_id} ${email}` }) as const

const activeUser = (email: string) =>
  and(eq(users.email, email), eq(users.status, UserStatus.enabled), isNull(users.deleted_time))

/** The id of the active user with this address. */
async function activeUserId(email: string): Promise<number | undefined> {
  const [user] = await db.select({ id: users.id }).from(users).where(activeUser(email))
  return user?.id
}

/** Mails the link. @throws Refusal for an address of no active user, within 30 s, and while the site has no address */
export async function mailResetLink(email: string, language: Language) {
  // Never the Host header of the request, which its sender chooses.
  const site = option('ServerAddress')
  if (!site) throw new Refusal('reset.no_server_address')
  const user_id = await activeUserId(email)
  if (user_id === undefined) throw new Refusal('reset.email_unknown', {}, 200, 'email')
  const token = randomToken(TOKEN_BYTES)
  const link = `${site}/user/reset?${new URLSearchParams({ email, token })}`
  await mailSecret(keyOf(user_id, email), token, { to: email, kind: 'reset', params: { link }, language })
}

/**
 * Sets a new password, which ends every session and the access token; the second factor stays.
 * @param key of a request that may be repeated
 * @returns the password
 * @throws Refusal `reset.link_invalid`. A wrong link leaves the right one usable; a token of 256 bits needs no count of guesses
 */
export async function resetPassword(email: string, token: string, key?: RepeatKey): Promise<string> {
  const user_id = await activeUserId(email)
  if (user_id === undefined || (await readSecret(keyOf(user_id, email), token)) === undefined) throw invalidLink()
  const text = randomKey(PASSWORD_LENGTH)
  const password = await hashPassword(text, await knownTicket(user_id))
  return atomic(tx =>
    oncePerKey(tx, { user_id: NO_USER, action: 'reset', key, body: { email, token } }, function* () {
      const [user] = yield* lock(tx, users, and(eq(users.id, user_id), activeUser(email)))
      if (!user || (yield* takeSecret(tx, keyOf(user_id, email), token)) === undefined) throw invalidLink()
      yield* run(tx.update(users).set({ password }).where(eq(users.id, user_id)))
      yield* endAccess(tx, user_id)
      yield* announce(tx, 'user', [user_id])
      return text
    }),
  )
}

const invalidLink = () => new Refusal('reset.link_invalid')
