/** Statements that are written once and run often: built and prepared on first use, then only given their values. */
import { is, Param, Placeholder } from 'drizzle-orm'
import type { Query } from './atomic.ts'
import { type Db, db, type Tx } from './database.ts'
import { dialect } from './dialect.ts'

/**
 * `sql.placeholder(name)` in the query stands for the value of that name; rows are flat. The result is for `run` and
 * `rowsNow`.
 */
export function prepared<Q extends PromiseLike<unknown>>(build: (db: Tx) => Q) {
  let builtOn: Db | undefined
  let execute: Execute
  return (tx: Tx, values: Values): Query<Awaited<Q>> => {
    if (builtOn !== db) {
      const prepared = (build(db) as any).prepare()
      execute = dialect === 'sqlite' ? onDriver(prepared) : onConnection(prepared)
      builtOn = db
    }
    return execute(tx, values)
  }
}

/** Several statements in this order; PostgreSQL gets them in one go. */
export const batch = <T>(queries: Query<T>[]): Query<T[]> =>
  dialect === 'sqlite' ? inTick(() => queries.map(query => rowsNow(query))) : Promise.all(queries)

/** The rows at once, with nothing in between: only SQLite can, for what is then decided in memory. */
export const rowsNow = <Rows>(query: Query<Rows>): Rows => (query as any).all()

const inTick = <Rows>(all: () => Rows) => ({ all }) as unknown as Query<Rows>

/** One row of values, or several: then a place is called by the number of its row and its name, as in `0.quota`. */
export type Values = object | readonly object[]
type Execute = (tx: Tx, values: Values) => Query<any>

/** drizzle looks at every place and column anew each time; here that is known, and only the driver is left. */
function onDriver({ stmt, query, fields }: any): Execute {
  const places: ((values: Values) => unknown)[] = query.params.map(placeOf)
  const given = (values: Values) => places.map(place => place(values))
  if (!fields) return (_, values) => inTick(() => stmt.run(...given(values)))
  const rowOf = readerOf(fields)
  return (_, values) => inTick(() => stmt.values(...given(values)).map(rowOf))
}

function placeOf(param: unknown): (values: Values) => unknown {
  if (is(param, Placeholder)) return valueCalled(param.name)
  if (!is(param, Param) || !is(param.value, Placeholder)) return () => param
  const { encoder, value } = param
  const find = valueCalled(value.name)
  return values => encoder.mapToDriverValue(find(values))
}

function valueCalled(place: string): (values: any) => unknown {
  const [row, name] = place.split('.')
  if (name === undefined) return values => values[place]
  const index = Number(row)
  return rows => rows[index][name]
}

function readerOf(fields: any[]): (row: unknown[]) => Record<string, unknown> {
  const columns = fields.map(({ path: [name], field }) => ({ name, decoder: field.decoder ?? field }))
  return row => {
    const read: Record<string, unknown> = {}
    columns.forEach(({ name, decoder }, at) => {
      read[name] = row[at] === null ? null : decoder.mapFromDriverValue(row[at])
    })
    return read
  }
}

/** drizzle prepares for the pool; inside a transaction the statement must go to the transaction's own connection. */
const onConnection =
  (prepared: any): Execute =>
  (tx, values) =>
    Object.create(prepared, { client: { value: (tx as any).session.client } }).execute(flat(values))

const flat = (values: Values): object =>
  Array.isArray(values)
    ? Object.fromEntries(values.flatMap((row, at) => Object.entries(row).map(([name, one]) => [`${at}.${name}`, one])))
    : values
