/** Inserts of many rows at once, by statements that are prepared once. */
import { sql } from 'drizzle-orm'
import type { Query } from './atomic.ts'
import type { Tx } from './database.ts'
import { batch, prepared } from './prepared.ts'

/** Of two: no statement has more rows than this power says. */
const LARGEST_POWER = 6

/**
 * `build` is given as many rows of places as there are rows to insert. They go in pieces of 64, 32 and so on down to
 * one, so that few statements are ever prepared.
 */
export function bulkInsert<Result>(names: readonly string[], build: (db: Tx, places: any[]) => PromiseLike<Result>) {
  const places = (row: number) => Object.fromEntries(names.map(name => [name, sql.placeholder(`${row}.${name}`)]))
  const statements = Array.from({ length: LARGEST_POWER + 1 }, (_, power) =>
    prepared(db =>
      build(
        db,
        Array.from({ length: 2 ** power }, (_, row) => places(row)),
      ),
    ),
  )
  return (tx: Tx, rows: readonly object[]): Query<Awaited<Result>[]> => {
    const queries: Query<Awaited<Result>>[] = []
    for (let from = 0; from < rows.length; ) {
      const power = Math.min(LARGEST_POWER, Math.floor(Math.log2(rows.length - from)))
      queries.push(statements[power]!(tx, rows.slice(from, from + 2 ** power)))
      from += 2 ** power
    }
    return batch(queries)
  }
}
