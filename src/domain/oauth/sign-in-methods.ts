/** Methods of signing in: which are open, which a user has, and that root keeps one. Passkeys are always open. */
import { and, eq, isNull } from 'drizzle-orm'
import { Role, UserStatus } from '../../contracts/account.ts'
import type { LoginProviderName } from '../../contracts/oauth.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { run } from '../../db/atomic.ts'
import type { Tx } from '../../db/database.ts'
import { type OptionState, onOptionCommit } from '../options/index.ts'
import { passkeys } from '../two-factor/table.ts'
import { type User, users } from '../users/index.ts'
import { isProviderEnabled, providers } from './providers.ts'

type SignInMethod = 'password' | LoginProviderName

export const openMethods = (options: Pick<OptionState, 'value'>): SignInMethod[] => [
  ...(options.value('PasswordLoginEnabled') ? (['password'] as const) : []),
  ...Object.values(providers).flatMap(({ name }) => (isProviderEnabled(name, options) ? [name] : [])),
]

export const signsIn = (user: User, method: SignInMethod): boolean =>
  (method === 'password' ? user.password : user[providers[method].column]) !== ''

export function* countPasskeys(tx: Tx, user_id: number) {
  const rows = yield* run(tx.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.user_id, user_id)))
  return rows.length
}

/** At least one root account has to keep a method: it can open the others. */
onOptionCommit(function* (tx, { keys, before, after }) {
  const open = openMethods(after)
  if (openMethods(before).every(method => open.includes(method))) return
  const isActiveRoot = and(eq(users.role, Role.root), eq(users.status, UserStatus.enabled), isNull(users.deleted_time))
  const roots = yield* run(tx.select().from(users).where(isActiveRoot))
  for (const root of roots)
    if (open.some(method => signsIn(root, method)) || (yield* countPasskeys(tx, root.id)) > 0) return
  throw new Refusal('option.root_locked_out', {}, 400, keys[0])
})
