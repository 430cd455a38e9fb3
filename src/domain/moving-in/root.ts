/** Whose root account holds: ours, or theirs where Tollgate is not set up. */
import { and, eq } from 'drizzle-orm'
import { Role, UserStatus } from '../../contracts/account.ts'
import { db } from '../../db/database.ts'
import { users } from '../users/table.ts'
import { CannotMove } from './cannot-move.ts'
import type { Move } from './move.ts'
import { text, whole } from './row.ts'
import { movedRows } from './table.ts'
import { isGone } from './users.ts'

/** Notes which user there becomes root. @throws CannotMove without one, or when another root is here */
export async function chooseRoot(move: Move) {
  const root = await rootThere(move)
  if (!root) throw new CannotMove('moving.refused_no_root')
  const [here] = await db.select({ id: users.id }).from(users).where(eq(users.role, Role.root))
  if (here && here.id !== (await carriedAs(move, root.id))) throw new CannotMove('moving.refused_root_here')
  move.newRoot = root.id
  move.report.root = root.username
}

/** The first enabled one. */
async function rootThere(move: Move) {
  for await (const rows of move.from.read('users', ['username', 'role', 'status', 'deleted_at'])) {
    const row = rows.find(
      row => whole(row.role) >= Role.root && whole(row.status) === UserStatus.enabled && !isGone(move, row),
    )
    if (row) return { id: whole(row.id), username: text(row.username) }
  }
}

async function carriedAs({ source }: Move, id: number): Promise<number | undefined> {
  const isIt = and(eq(movedRows.source, source), eq(movedRows.noun, 'user'), eq(movedRows.source_id, id))
  const [row] = await db.select({ target_id: movedRows.target_id }).from(movedRows).where(isIt)
  return row?.target_id
}
