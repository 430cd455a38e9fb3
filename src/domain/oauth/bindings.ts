/** Bindings: the address and the provider ids of a user, bound and unbound. */
import { and, eq, isNull } from 'drizzle-orm'
import { announce } from '../../cluster/changes.ts'
import { type Binding, type BindingName, bindingNames } from '../../contracts/oauth.ts'
import { notFound, Refusal } from '../../contracts/refusal.ts'
import { lock, run, type Work } from '../../db/atomic.ts'
import { atomicUnless } from '../../db/atomic-unless.ts'
import { db, type Tx } from '../../db/database.ts'
import { count } from '../../db/fragments.ts'
import { checkEmailCode, countOwnAttempt, type Session, takeEmailCode } from '../account/index.ts'
import { isMailConfigured } from '../mail/index.ts'
import { currentOptions } from '../options/index.ts'
import { passkeys } from '../two-factor/table.ts'
import { type User, users } from '../users/index.ts'
import { forgetGitHubName } from './github-names.ts'
import type { LoginIdentity } from './provider.ts'
import { isProviderEnabled, providers } from './providers.ts'
import { countPasskeys, openMethods, signsIn } from './sign-in-methods.ts'

const columnOf = (name: BindingName) => (name === 'email' ? 'email' : providers[name].column)

/** Binds an identity, in place of the one of this provider that the user had. @throws Refusal `account.already_bound`; deleted users count */
export const bind = (user_id: number, { column, id }: LoginIdentity) =>
  write(user_id, 'account.already_bound', tx => setColumn(tx, user_id, column, id))

/** Binds an address with the code that was sent to it. @throws Refusal at the field `code`, `account.email_taken` at `email`; 429 */
export async function bindEmail(
  user_id: number,
  { email, code }: { email: string; code: string },
  session: Session | undefined,
) {
  await countOwnAttempt(user_id, session)
  await checkEmailCode(email, code).catch(atCode)
  await write(user_id, 'account.email_taken', function* (tx) {
    yield* takeEmailCode(tx, email, code)
    yield* setColumn(tx, user_id, 'email', email)
  }).catch(atCode)
}

/** Registration has another name for the field. */
function atCode(error: unknown): never {
  if (!(error instanceof Refusal) || error.field !== 'verification_code') throw error
  throw new Refusal(error.code, error.params, error.status, 'code')
}

/** @throws Refusal 404 when nothing is bound, `oauth.last_way` when no other way to sign in remains */
export async function unbind(user_id: number, name: BindingName) {
  await write(user_id, 'account.already_bound', function* (tx) {
    const [user] = yield* lock(tx, users, eq(users.id, user_id))
    if (!user?.[columnOf(name)]) throw notFound('oauth.not_bound')
    if (!methodsLeft(user, yield* countPasskeys(tx, user_id), name)) throw new Refusal('oauth.last_way')
    yield* setColumn(tx, user_id, columnOf(name), '')
  })
}

/** All six, masked. */
export async function bindingsOf(user_id: number): Promise<Binding[]> {
  const [user] = await db.select().from(users).where(eq(users.id, user_id))
  const [keys] = await db.select({ count: count() }).from(passkeys).where(eq(passkeys.user_id, user_id))
  return bindingNames.map(name => ({
    name,
    bound: masked(name, user![columnOf(name)]),
    is_enabled: name === 'email' ? isMailConfigured() : isProviderEnabled(name),
    is_removable: methodsLeft(user!, keys!.count, name) > 0,
  }))
}

/** Methods of signing in that are left without one of them. The address is none: it needs the password. */
const methodsLeft = (user: User, keys: number, without: BindingName): number =>
  openMethods(currentOptions()).filter(method => method !== without && signsIn(user, method)).length + keys

type BoundColumn = ReturnType<typeof columnOf>

function* setColumn(tx: Tx, user_id: number, column: BoundColumn, value: string) {
  yield* run(
    tx
      .update(users)
      .set({ [column]: value })
      .where(and(eq(users.id, user_id), isNull(users.deleted_time))),
  )
  if (column === 'github_id') yield* forgetGitHubName(tx, user_id)
}

/** @param taken the refusal when another user has the value */
async function write(user_id: number, taken: 'account.already_bound' | 'account.email_taken', work: Work<void>) {
  const field = taken === 'account.email_taken' ? 'email' : undefined
  await atomicUnless(
    () => new Refusal(taken, {}, 200, field),
    function* (tx) {
      yield* work(tx)
      yield* announce(tx, 'user', [user_id])
    },
  )
}

const MASK = '••••'
const SHOWN = 2

/** The first and last characters of an id, the first of an address and its domain. */
function masked(name: BindingName, value: string): string {
  if (!value) return ''
  if (name === 'email') return `${value[0]}${MASK}${value.slice(value.lastIndexOf('@'))}`
  return value.length > 2 * SHOWN + 1 ? value.slice(0, SHOWN) + MASK + value.slice(-SHOWN) : MASK
}
