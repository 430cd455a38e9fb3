/** Ways to sign in: which are open, which a user has, and that root keeps one. Passkeys are always open. */
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

type Way = 'password' | LoginProviderName

export const openWays = (options: Pick<OptionState, 'value'>): Way[] => [
  ...(options.value('PasswordLoginEnabled') ? (['password'] as const) : []),
  ...Object.values(providers).flatMap(({ name }) => (isProviderEnabled(name, options) ? [name] : [])),
]

export const leadsIn = (user: User, way: Way): boolean =>
  (way === 'password' ? user.password : user[providers[way].column]) !== ''

export function* countPasskeys(tx: Tx, user_id: number) {
  const rows = yield* run(tx.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.user_id, user_id)))
  return rows.length
}

/** Of several root accounts one has to keep a way in: it can open the others. */
onOptionCommit(function* (tx, { keys, before, after }) {
  const open = openWays(after)
  if (openWays(before).every(way => open.includes(way))) return
  const isActiveRoot = and(eq(users.role, Role.root), eq(users.status, UserStatus.enabled), isNull(users.deleted_time))
  const roots = yield* run(tx.select().from(users).where(isActiveRoot))
  for (const root of roots) if (open.some(way => leadsIn(root, way)) || (yield* countPasskeys(tx, root.id)) > 0) return
  throw new Refusal('option.root_locked_out', {}, 400, keys[0])
})
