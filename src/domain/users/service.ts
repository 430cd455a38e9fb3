/** Users: who they are. Their balances are the wallet's. */
import { and, asc, eq, isNull, or } from 'drizzle-orm'
import { cache } from '../../cluster/cache.ts'
import { foldName, Role, UserStatus } from '../../contracts/account.ts'
import { forbidden, notFound, Refusal } from '../../contracts/refusal.ts'
import type { UserView } from '../../contracts/user.ts'
import { digest } from '../../crypto/sealing.ts'
import { run } from '../../db/atomic.ts'
import { db, type Tx } from '../../db/database.ts'
import { now } from '../../process/clock.ts'
import { isNamed, usernameTaken } from './names.ts'
import { shownSetting } from './setting.ts'
import { type User, users } from './table.ts'
import { maySee, type Reader, viewOf } from './view.ts'

export type { User }

/** A user by id, undefined when deleted. Its balance is stale: the wallet changes it without an invalidation. */
export const userById = cache('user', async (id: number): Promise<User | undefined> => {
  const [user] = await db
    .select()
    .from(users)
    .where(and(eq(users.id, id), isNull(users.deleted_time)))
  return user
})

/** The owner of the installation: the oldest user with the role root. */
export async function rootUser(): Promise<User | undefined> {
  const [user] = await db.select().from(users).where(eq(users.role, Role.root)).orderBy(asc(users.id)).limit(1)
  return user
}

/**
 * A user by name or e-mail address: by the exact name first, in any case where one user has it.
 * @returns undefined when unknown, deleted, or one of twins in a case that is neither's
 */
export async function userByLogin(login: string): Promise<User | undefined> {
  const email = login.toLowerCase()
  const found = await db
    .select()
    .from(users)
    .where(and(or(isNamed(login), eq(users.email, email)), isNull(users.deleted_time)))
    .orderBy(asc(users.id))
  const exact = found.find(({ username }) => username === login) ?? found.find(user => user.email === email)
  return exact ?? (found.length === 1 ? found[0] : undefined)
}

export async function userByAccessToken(token: string): Promise<User | undefined> {
  const [user] = await db
    .select()
    .from(users)
    .where(and(eq(users.access_token_hash, digest(token)), isNull(users.deleted_time)))
  return user
}

/** `password` is an argon2id hash. Balance and usage start at 0: a start quota is a credit. */
type NewUser = Omit<typeof users.$inferInsert, 'id' | 'quota' | 'used_quota' | 'request_count' | 'created_time'>

/** @throws Refusal for a name, an address or a provider's id of another user, deleted ones included: they stay reserved */
export function* addUser(tx: Tx, { username, display_name = username, ...columns }: NewUser) {
  // The index does not see a twin whose older one has another name by now.
  const [twin] = yield* run(tx.select({ id: users.id }).from(users).where(isNamed(username)).limit(1))
  if (twin) throw usernameTaken()
  const row = { ...columns, username, username_folded: foldName(username), display_name, created_time: now() }
  const [user] = yield* run(tx.insert(users).values(row).onConflictDoNothing().returning())
  if (user) return user
  const { email = '' } = columns
  const same = or(isNamed(username), email ? eq(users.email, email) : undefined)
  const found = yield* run(tx.select().from(users).where(same))
  if (found.some(other => foldName(other.username) === foldName(username))) throw usernameTaken()
  throw found.length ? new Refusal('account.email_taken', {}, 200, 'email') : new Refusal('account.already_bound')
}

/** A user as they see themselves: with their settings, secrets in them masked. */
export async function ownView(id: number) {
  const [user] = await db.select().from(users).where(eq(users.id, id))
  return { ...viewOf(user!), setting: shownSetting(user!) }
}

/** A user as an administrator sees them. @throws Refusal 404 or 403 */
export async function viewFor(reader: Reader, id: number): Promise<UserView> {
  const user = await anyUser(id)
  if (!user) throw notFound('user.not_found')
  if (!maySee(reader, user)) throw forbidden('account.cannot_read')
  return viewOf(user)
}

/** A user by id, deleted or not. */
export async function anyUser(id: number): Promise<User | undefined> {
  const [user] = await db.select().from(users).where(eq(users.id, id))
  return user
}

export const isEnabled = (user: Pick<User, 'status'>) => user.status === UserStatus.enabled

/** Current balance in quota; 0 for an unknown user. */
export async function balanceOf(user_id: number): Promise<number> {
  const [row] = await db.select({ quota: users.quota }).from(users).where(eq(users.id, user_id))
  return row?.quota ?? 0
}
