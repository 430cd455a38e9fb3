/** A PostgreSQL database as dumps see it: one connection, whose JSON functions read and write the rows. */
import { SQL } from 'bun'
import { UnusableDatabase } from '../database.ts'
import { inOrder, isDumped, namedInMigrations } from './own-tables.ts'
import {
  type Access,
  BATCH_CHARACTERS,
  BATCH_ROWS,
  type ColumnType,
  type DumpTable,
  namesOf,
  type Place,
  quoted,
  type Sequences,
} from './place.ts'

type Query = <Row = Record<string, string | number | null>>(statement: string, values?: string[]) => Promise<Row[]>

/** Rows are read in one snapshot, which calls neither see nor wait for. @throws UnusableDatabase */
export async function postgresPlace(url: string, access: Access): Promise<Place> {
  const name = withoutPassword(url)
  const connection = new SQL(url, { max: 1, bigint: false })
  const query = (async (statement: string, values: string[] = []) =>
    Array.from(await connection.unsafe(statement, values))) as Query
  try {
    await query(access === 'read' ? 'begin isolation level repeatable read, read only' : 'select 1')
  } catch (error) {
    throw new UnusableDatabase(`cannot reach ${name}: ${(error as Error).message}`)
  }
  let replaced = 0

  return {
    engine: 'postgres',
    name,
    query: statement => query(statement),
    tables: () => tablesOf(query),
    read: (table, after) => readRows(query, table, after),
    async insert(table, lines) {
      const text = `[${lines.join(',')}]`
      const storable = text.includes('\\u0000') ? text.replace(ESCAPED_NUL, replaceNul) : text
      // Through text: the driver would write the text of a JSON parameter as JSON once more.
      await query(insertOf(table), [storable])
    },
    async lastKey(table) {
      const texts = table.key.map((column, at) => `${quoted(column)}::text as k${at}`).join(', ')
      const order = keyOf(table).map(column => `${column} desc`)
      const [last] = await query<Record<string, string>>(
        `select ${texts} from ${quoted(table.name)} order by ${order.join(', ')} limit 1`,
      )
      return last && Object.values(last)
    },
    sequences: () => sequencesOf(query),
    async setSequences(sequences) {
      for (const [table, last] of Object.entries(sequences))
        await query(
          `select setval(pg_get_serial_sequence('${quoted(table)}', 'id'),
            greatest(1, ${Number(last)}, (select max("id") from ${quoted(table)})))`,
        )
    },
    async clear() {
      const names = ['migrations', 'postponed_indexes', ...namedInMigrations('postgres')].map(quoted)
      await query(`drop table if exists ${names.join(', ')} cascade`)
    },
    replaced: () => replaced,
    async finish() {
      // Without figures of the new tables the first queries would be planned as for empty ones.
      const names = (await tablesOf(query)).map(({ name: table }) => quoted(table))
      await query(`analyze ${names.join(', ')}`)
    },
    close: () => connection.close(),
  }

  function replaceNul(_: string, before: string) {
    replaced++
    return `${before}\ufffd`
  }
}

/** A NUL in JSON; the text \u0000 itself has one backslash more. PostgreSQL has no NUL in texts. */
const ESCAPED_NUL = /(?<!\\)((?:\\\\)*)\\u0000/g

export function withoutPassword(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}

const insertOf = (table: DumpTable) => {
  const values = table.columns.map(({ type }, at) => `(v->>${at})::${TYPES[type]}`).join(', ')
  return `insert into ${quoted(table.name)} (${namesOf(table)})
    select ${values} from jsonb_array_elements($1::text::jsonb) v`
}

const TYPES: Record<ColumnType, string> = {
  whole: 'bigint',
  decimal: 'double precision',
  text: 'text',
  flag: 'boolean',
}

/** Texts in the order of their bytes, which SQLite has too. */
const keyOf = (table: DumpTable) =>
  table.key.map(name => (typeIn(table, name) === 'text' ? `${quoted(name)} collate "C"` : quoted(name)))

const typeIn = (table: DumpTable, name: string) => table.columns.find(column => column.name === name)!.type

/** By a cursor: its rows are sorted once. The next rows are as many as a batch has room for, by the size of the last ones. */
async function* readRows(query: Query, table: DumpTable, after?: string[]): AsyncGenerator<string[]> {
  const values = table.columns.map(({ name, type }) => (type === 'flag' ? `${quoted(name)}::int` : quoted(name)))
  const key = keyOf(table).join(', ')
  const literals = after?.map((text, at) => literal(text, typeIn(table, table.key[at]!)))
  const where = literals ? `where (${key}) > (${literals.join(', ')})` : ''
  await query(`declare dumped no scroll cursor for
    select json_build_array(${values.join(', ')})::text as line from ${quoted(table.name)} ${where} order by ${key}`)
  for (let rows = FIRST_ROWS; ; ) {
    const batch = (await query<{ line: string }>(`fetch ${rows} from dumped`)).map(({ line }) => line)
    if (batch.length) yield batch
    if (batch.length < rows) break
    const characters = batch.reduce((sum, line) => sum + line.length, 0)
    rows = Math.max(1, Math.min(BATCH_ROWS, 2 * rows, Math.floor((BATCH_CHARACTERS * rows) / characters)))
  }
  await query('close dumped')
}

const FIRST_ROWS = 50

const literal = (text: string, type: ColumnType) =>
  type === 'text' ? `'${text.replaceAll("'", "''")}' collate "C"` : `${BigInt(text)}`

async function tablesOf(query: Query): Promise<DumpTable[]> {
  const own = namedInMigrations('postgres')
  const columns = await query<{ table: string; name: string; type: string; key: number | null }>(COLUMNS)
  const references = await query<{ table: string; parent: string }>(REFERENCES)
  const found = Map.groupBy(
    columns.filter(({ table }) => own.has(table) && isDumped(table)),
    ({ table }) => table,
  )
  const tables = Array.from(found, ([name, rows]) => ({
    name,
    columns: rows.map(row => ({ name: row.name, type: typeOf(row.type) })),
    key: rows
      .filter(({ key }) => key !== null)
      .sort((one, other) => one.key! - other.key!)
      .map(row => row.name),
  }))
  const byTable = Map.groupBy(references, ({ table }) => table)
  return inOrder(tables, new Map(Array.from(byTable, ([name, rows]) => [name, rows.map(({ parent }) => parent)])))
}

const typeOf = (type: string): ColumnType =>
  type === 'boolean' ? 'flag' : /int/.test(type) ? 'whole' : type === 'double precision' ? 'decimal' : 'text'

const OWN_SCHEMA = 'join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()'
const COLUMNS = `select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
    array_position(i.indkey::int2[], a.attnum) as key
  from pg_class c ${OWN_SCHEMA}
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_index i on i.indrelid = c.oid and i.indisprimary
  where c.relkind = 'r' order by c.relname, a.attnum`
const REFERENCES = `select c.relname as table, p.relname as parent
  from pg_constraint f join pg_class c on c.oid = f.conrelid ${OWN_SCHEMA} join pg_class p on p.oid = f.confrelid
  where f.contype = 'f'`

async function sequencesOf(query: Query): Promise<Sequences> {
  const found: Sequences = {}
  for (const { name, columns } of await tablesOf(query)) {
    if (!columns.some(column => column.name === 'id' && column.type === 'whole')) continue
    const [row] = await query<{ name: string | null }>(`select pg_get_serial_sequence('${quoted(name)}', 'id') as name`)
    if (!row?.name) continue
    const [last] = await query<{ last: string }>(
      `select case when is_called then last_value else 0 end::text as last from ${row.name}`,
    )
    if (last?.last !== '0') found[name] = Number(last!.last)
  }
  return found
}
