/** Clearing the usage log. Money is not in it: the ledger and the hourly usage stay. */
import { inArray, lt } from 'drizzle-orm'
import { db } from '../../db/database.ts'
import { logs } from './table.ts'

/** Small enough that nobody waits for the database meanwhile. */
const ROWS_AT_ONCE = 1000

/** Deletes what was written before a moment. Answers how many entries that were. */
export async function clearBefore(moment: number): Promise<number> {
  let deleted = 0
  for (;;) {
    const oldest = db
      .select({ id: logs.id })
      .from(logs)
      .where(lt(logs.created_at, moment))
      .orderBy(logs.created_at)
      .limit(ROWS_AT_ONCE)
    const gone = await db.delete(logs).where(inArray(logs.id, oldest)).returning({ id: logs.id })
    deleted += gone.length
    if (gone.length < ROWS_AT_ONCE) return deleted
    await Bun.sleep(0)
  }
}
