/** Prepared statements: built on first use, then run with new values. */
import type { Query } from './atomic.ts'
import { type Db, db, type Tx } from './database.ts'
import { dialect } from './dialect.ts'
import { onConnection, onDriver, prepare, type StatementValues } from './drizzle-internals.ts'

/**
 * @param build its query has `sql.placeholder(name)` for each value and returns flat rows
 * @returns a query for `run` and `rowsNow`
 */
export function prepared<Q extends PromiseLike<unknown>>(build: (db: Tx) => Q) {
  let builtOn: Db | undefined
  let queryOf: (values: StatementValues, tx: Tx) => Query<any>
  return (tx: Tx, values: StatementValues): Query<Awaited<Q>> => {
    if (builtOn !== db) {
      const statement = prepare(build(db))
      queryOf = dialect === 'sqlite' ? onDriver(statement) : (values, tx) => onConnection(statement, tx, values)
      builtOn = db
    }
    return queryOf(values, tx)
  }
}

/** Several statements in this order; PostgreSQL receives them in one round trip. */
export const batch = <T>(queries: Query<T>[]): Query<T[]> =>
  dialect === 'sqlite' ? (new TickBatch(queries) as unknown as Query<T[]>) : Promise.all(queries)

class TickBatch<T> {
  constructor(private readonly queries: readonly Query<T>[]) {}

  all(): T[] {
    return this.queries.map(rowsNow)
  }
}

/** The rows in this tick. SQLite only, for decisions in memory that no other work may interleave with. */
export const rowsNow = <Rows>(query: Query<Rows>): Rows => (query as any).all()
