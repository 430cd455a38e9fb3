/** Whether a database is of the installation that was moved in under the same name before. */
import { and, eq, ne } from 'drizzle-orm'
import { db } from '../../db/database.ts'
import { CannotMove } from './cannot-move.ts'
import type { Move } from './move.ts'
import { text, whole } from './row.ts'
import { movedRows } from './table.ts'

/** @throws CannotMove when most users are missing, or have other invitation codes, which never change, under their ids */
export async function checkSameInstallation({ from, source, product }: Move) {
  const isMarked = and(eq(movedRows.source, source), eq(movedRows.noun, 'user'), ne(movedRows.mark, ''))
  const { source_id, mark } = movedRows
  const rows = await db.select({ source_id, mark }).from(movedRows).where(isMarked)
  const known = new Map(rows.map(row => [row.source_id, row.mark]))
  let same = 0
  for await (const batch of from.read('users', ['aff_code'])) {
    for (const row of batch) if (known.get(whole(row.id)) === text(row.aff_code)) same++
  }
  if (2 * same < known.size) throw new CannotMove('moving.refused_installation', { product, source })
}
