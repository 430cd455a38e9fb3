/** The mark of the secret key: sealed at the first start, so that another key is known before anything else is sealed. */
import { sql } from 'drizzle-orm'
import { db } from '../../db/database.ts'
import { secretMarks } from './table.ts'

const THE_ROW = 1
/** Any text will do: whether it opens is what counts. */
const TEXT = 'tollgate'

/** As it is stored; undefined before the first start has left it. */
export async function secretMark(): Promise<string | undefined> {
  const [row] = await db.select({ mark: sql<string>`${secretMarks.mark}` }).from(secretMarks)
  return row?.mark
}

/** Of nodes that start at once, one leaves the mark. */
export const leaveSecretMark = async () =>
  void (await db.insert(secretMarks).values({ id: THE_ROW, mark: TEXT }).onConflictDoNothing())
