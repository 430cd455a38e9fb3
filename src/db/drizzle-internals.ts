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
  const rowOf = fields && rowReader(fields)
  return values => new DriverQuery(stmt, params(values), rowOf) as unknown as Query<any>
}

/** One object a query: settling makes a dozen in each transaction. */
class DriverQuery {
  constructor(
    private readonly statement: any,
    private readonly params: unknown[],
    private readonly rowOf: ((row: unknown[]) => unknown) | undefined,
  ) {}

  all(): unknown {
    const { statement, params, rowOf } = this
    return rowOf ? statement.values(params).map(rowOf) : statement.run(params)
  }
}

/** What a parameter is read from: a field of the values or of one of their rows, or a constant. */
interface ParamSource {
  row: number | undefined
  name: string | undefined
  constant: unknown
  encode: ((value: unknown) => unknown) | undefined
}

/** Settling reads 17 parameters a log entry: a loop without a call for each. */
function paramsReader(params: readonly unknown[]): (values: any) => unknown[] {
  const sources = params.map(sourceOf)
  return values => {
    const read: unknown[] = []
    for (const { row, name, constant, encode } of sources) {
      const value = name === undefined ? constant : (row === undefined ? values : values[row])[name]
      read.push(encode ? encode(value) : value)
    }
    return read
  }
}

function sourceOf(param: unknown): ParamSource {
  if (is(param, Placeholder)) return fieldNamed(param.name)
  if (!is(param, Param) || !is(param.value, Placeholder))
    return { row: undefined, name: undefined, constant: param, encode: undefined }
  const { encoder, value } = param
  const isPlain = encoder.mapToDriverValue === Column.prototype.mapToDriverValue
  return fieldNamed(value.name, isPlain ? undefined : value => encoder.mapToDriverValue(value))
}

function fieldNamed(placeholder: string, encode?: ParamSource['encode']): ParamSource {
  const [row, name] = placeholder.split('.')
  if (name === undefined) return { row: undefined, name: placeholder, constant: undefined, encode }
  return { row: Number(row), name, constant: undefined, encode }
}

function rowReader(fields: any[]): (row: unknown[]) => Record<string, unknown> {
  const columns = fields.map(({ path: [name], field }) => ({ name, decoder: field.decoder ?? field }))
  return row => {
    const read: Record<string, unknown> = {}
    for (let at = 0; at < columns.length; at++) {
      const { name, decoder } = columns[at]!
      read[name] = row[at] === null ? null : decoder.mapFromDriverValue(row[at])
    }
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
