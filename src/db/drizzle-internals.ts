/** Private fields of drizzle that prepared statements need. tests/db/drizzle-internals.test.ts names the pinned version. */
import { Column, is, Param, Placeholder } from 'drizzle-orm'
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
  const params = paramsReader(query.params)
  if (!fields) return values => inTick(() => stmt.run(params(values)))
  const rowOf = rowReader(fields)
  return values => inTick(() => stmt.values(params(values)).map(rowOf))
}

const inTick = (all: () => unknown) => ({ all }) as unknown as Query<any>

/** What a parameter is read from: a constant, a field of the values, or a field of one of several rows of values. */
interface ParamSource {
  constant?: unknown
  row?: number
  name?: string
  encode?(value: unknown): unknown
}

/** Settling reads 17 parameters a log entry: a loop without a call for each. */
function paramsReader(params: unknown[]): (values: any) => unknown[] {
  const sources = params.map(sourceOf)
  return values => {
    const read = new Array(sources.length)
    for (let at = 0; at < sources.length; at++) {
      const { row, name, encode, constant } = sources[at]!
      const value = name === undefined ? constant : (row === undefined ? values : values[row])[name]
      read[at] = encode ? encode(value) : value
    }
    return read
  }
}

function sourceOf(param: unknown): ParamSource {
  if (is(param, Placeholder)) return placeNamed(param.name)
  if (!is(param, Param) || !is(param.value, Placeholder)) return { constant: param }
  const { encoder, value } = param
  const isPlain = encoder.mapToDriverValue === Column.prototype.mapToDriverValue
  return { ...placeNamed(value.name), encode: isPlain ? undefined : value => encoder.mapToDriverValue(value) }
}

function placeNamed(placeholder: string): ParamSource {
  const [row, name] = placeholder.split('.')
  return name === undefined ? { name: placeholder } : { row: Number(row), name }
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
