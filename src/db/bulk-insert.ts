/** Bulk inserts through few prepared statements. */
import { sql } from 'drizzle-orm'
import type { Query } from './atomic.ts'
import type { Tx } from './database.ts'
import { batch, prepared } from './prepared.ts'

/** Rows of a statement: powers of two, and three, which is as usual as four. */
const SIZES = [64, 32, 16, 8, 4, 3, 2, 1]

/**
 * Rows are inserted in the largest groups that fit, so that few statements are prepared.
 * @param columns names of the columns in every row
 * @param build builds the insert of as many rows of placeholders
 */
export function bulkInsert<Result>(columns: readonly string[], build: (db: Tx, rows: any[]) => PromiseLike<Result>) {
  const placeholders = (row: number) =>
    Object.fromEntries(columns.map(name => [name, sql.placeholder(`${row}.${name}`)]))
  const groups = SIZES.map(size => ({
    size,
    insert: prepared(db =>
      build(
        db,
        Array.from({ length: size }, (_, row) => placeholders(row)),
      ),
    ),
  }))
  return (tx: Tx, rows: readonly object[]): Query<Awaited<Result>[]> => {
    const queries: Query<Awaited<Result>>[] = []
    for (let from = 0; from < rows.length; ) {
      const { size, insert } = groups.find(({ size }) => size <= rows.length - from)!
      queries.push(insert(tx, rows.slice(from, from + size)))
      from += size
    }
    return batch(queries)
  }
}
