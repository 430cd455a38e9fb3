/** Statements that are written once and run often: built and prepared on first use, then only given their values. */
import type { Query } from './atomic.ts'
import { type Db, db, type Tx } from './database.ts'
import { dialect } from './dialect.ts'

/** `sql.placeholder(name)` in the query stands for the value of that name. The result is for `run` and `rowsNow`. */
export function statement<Q extends PromiseLike<unknown>>(build: (db: Tx) => Q) {
  let builtOn: Db | undefined
  let prepared: any
  return (tx: Tx, values: object): Query<Awaited<Q>> => {
    if (builtOn !== db) {
      prepared = (build(db) as any).prepare()
      builtOn = db
    }
    return dialect === 'sqlite' ? inTick(() => prepared.all(values)) : onConnectionOf(tx, prepared).execute(values)
  }
}

/** Several statements in this order; PostgreSQL gets them in one go. */
export const together = <T>(queries: Query<T>[]): Query<T[]> =>
  dialect === 'sqlite' ? inTick(() => queries.map(query => rowsNow(query))) : Promise.all(queries)

/** The rows at once, with nothing in between: only SQLite can, for what is then decided in memory. */
export const rowsNow = <Rows>(query: Query<Rows>): Rows => (query as any).all()

const inTick = <Rows>(all: () => Rows) => ({ all }) as unknown as Query<Rows>

/** drizzle prepares for the pool; inside a transaction the statement must go to the transaction's own connection. */
const onConnectionOf = (tx: Tx, prepared: object) =>
  Object.create(prepared, { client: { value: (tx as any).session.client } })
