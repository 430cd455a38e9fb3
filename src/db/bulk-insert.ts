/** Bulk inserts through few prepared statements. */
import { sql } from 'drizzle-orm'
import type { Query } from './atomic.ts'
import type { Tx } from './database.ts'
import { batch, prepared } from './prepared.ts'

/** The largest statement has 2^6 rows. */
const POWER_MAX = 6

/**
 * Rows are inserted in groups of 64, 32 and so on down to one, so that seven statements are prepared.
 * @param columns names of the columns in every row
 * @param build builds the insert of as many rows of placeholders
 */
export function bulkInsert<Result>(columns: readonly string[], build: (db: Tx, rows: any[]) => PromiseLike<Result>) {
  const placeholders = (row: number) =>
    Object.fromEntries(columns.map(name => [name, sql.placeholder(`${row}.${name}`)]))
  const statements = Array.from({ length: POWER_MAX + 1 }, (_, power) =>
    prepared(db =>
      build(
        db,
        Array.from({ length: 2 ** power }, (_, row) => placeholders(row)),
      ),
    ),
  )
  return (tx: Tx, rows: readonly object[]): Query<Awaited<Result>[]> => {
    const queries: Query<Awaited<Result>>[] = []
    for (let from = 0; from < rows.length; ) {
      const power = Math.min(POWER_MAX, Math.floor(Math.log2(rows.length - from)))
      queries.push(statements[power]!(tx, rows.slice(from, from + 2 ** power)))
      from += 2 ** power
    }
    return batch(queries)
  }
}
