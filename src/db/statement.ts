/** Statements that are written once and run often: built and prepared on first use, then only given their values. */
import type { Query } from './atomic.ts'
import { type Db, db, type Tx } from './database.ts'
import { dialect } from './dialect.ts'

type Values = Record<string, unknown>

/** `sql.placeholder(name)` in the query stands for the value of that name. */
export function statement<V extends object, Row>(
  build: (db: Tx) => PromiseLike<Row[]>,
): (tx: Tx, values: V) => Query<Row[]> {
  let builtOn: Db | undefined
  let prepared: any
  return (tx, values) => {
    if (builtOn !== db) {
      prepared = (build(db) as any).prepare()
      builtOn = db
    }
    return dialect === 'sqlite'
      ? inTick(() => prepared.all(values))
      : onConnectionOf(tx, prepared).execute(values as Values)
  }
}

/** Several statements in this order; PostgreSQL gets them in one go. */
export const together = <T>(queries: Query<T>[]): Query<T[]> =>
  dialect === 'sqlite' ? inTick(() => queries.map(query => (query as any).all())) : Promise.all(queries)

/** The rows at once, with nothing in between: only SQLite can, for what is then decided in memory. */
export const rowsNow = <Row>(query: Query<Row[]>): Row[] => (query as any).all()

const inTick = <T>(all: () => T): Query<T> =>
  ({ all, then: (done, failed) => Promise.try(all).then(done, failed) }) as Query<T> & { all(): T }

/** drizzle prepares for the pool; inside a transaction the statement must go to the transaction's own connection. */
const onConnectionOf = (tx: Tx, prepared: object) =>
  Object.create(prepared, { client: { value: (tx as any).session.client } })
