/** Private fields of drizzle that prepared statements need. tests/db/drizzle-internals.test.ts names the pinned version. */
import { is, Param, Placeholder } from 'drizzle-orm'
import type { Query } from './atomic.ts'

/** One row of values, or several; then a placeholder is named by row and column, as in `0.quota`. */
export type StatementValues = object | readonly object[]

/** Prepares a built query on the pool or the file. */
export const prepare = (query: unknown): any => (query as any).prepare()

/**
 * Runs a prepared SQLite statement on the driver. drizzle would look up every placeholder and column at each run; here
 * that is done once.
 * @returns a function from values to a query whose `all` runs it in the same tick
 */
export function onDriver({ stmt, query, fields }: any): (values: StatementValues) => Query<any> {
  const readers: ((values: StatementValues) => unknown)[] = query.params.map(readerOfParam)
  const params = (values: StatementValues) => readers.map(read => read(values))
  if (!fields) return values => inTick(() => stmt.run(...params(values)))
  const rowOf = rowReader(fields)
  return values => inTick(() => stmt.values(...params(values)).map(rowOf))
}

const inTick = (all: () => unknown) => ({ all }) as unknown as Query<any>

function readerOfParam(param: unknown): (values: StatementValues) => unknown {
  if (is(param, Placeholder)) return valueNamed(param.name)
  if (!is(param, Param) || !is(param.value, Placeholder)) return () => param
  const { encoder, value } = param
  const read = valueNamed(value.name)
  return values => encoder.mapToDriverValue(read(values))
}

function valueNamed(placeholder: string): (values: any) => unknown {
  const [row, name] = placeholder.split('.')
  if (name === undefined) return values => values[placeholder]
  const index = Number(row)
  return rows => rows[index][name]
}

function rowReader(fields: any[]): (row: unknown[]) => Record<string, unknown> {
  const columns = fields.map(({ path: [name], field }) => ({ name, decoder: field.decoder ?? field }))
  return row => {
    const read: Record<string, unknown> = {}
    columns.forEach(({ name, decoder }, at) => {
      read[name] = row[at] === null ? null : decoder.mapFromDriverValue(row[at])
    })
    return read
  }
}

/** Runs a prepared PostgreSQL statement on the connection of a transaction; drizzle prepares it for the pool. */
export const onConnection = (prepared: any, tx: unknown, values: StatementValues): Query<any> =>
  Object.create(prepared, { client: { value: (tx as any).session.client } }).execute(flat(values))

const flat = (values: StatementValues): object =>
  Array.isArray(values)
    ? Object.fromEntries(values.flatMap((row, at) => Object.entries(row).map(([name, one]) => [`${at}.${name}`, one])))
    : values
