/** Whether a database is of the installation that was moved in under the same name before. */
import { and, eq, ne } from 'drizzle-orm'
import { db } from '../../db/database.ts'
import { StartupError } from '../../process/shutdown.ts'
import type { Move } from './move.ts'
import { text, whole } from './row.ts'
import { movedRows } from './table.ts'

/** @throws StartupError when most users have other invitation codes under their ids, which never change */
export async function checkSameInstallation({ from, source, product }: Move) {
  const isMarked = and(eq(movedRows.source, source), eq(movedRows.noun, 'user'), ne(movedRows.mark, ''))
  const { source_id, mark } = movedRows
  const rows = await db.select({ source_id, mark }).from(movedRows).where(isMarked)
  const known = new Map(rows.map(row => [row.source_id, row.mark]))
  let same = 0
  let others = 0
  for await (const batch of from.read('users', ['aff_code'])) {
    for (const row of batch) {
      const before = known.get(whole(row.id))
      if (before === undefined) continue
      if (before === text(row.aff_code)) same++
      else others++
    }
  }
  if (others > same)
    throw new StartupError(
      `another installation of ${product} was moved in as ${source} before; give this one a name of its own: --source NAME`,
    )
}
