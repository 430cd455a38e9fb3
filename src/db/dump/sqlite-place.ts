/** A SQLite file as dumps see it. Its JSON functions read and write the rows: they keep 64-bit numbers and NULs exact. */
import { Database } from 'bun:sqlite'
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
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

/** @throws UnusableDatabase */
export function sqlitePlace(path: string, access: Access): Place {
  let file = open(path, access)
  const all = <Row = Record<string, string | number | null>>(statement: string, values: string[] = []) =>
    file.query<Row, string[]>(statement).all(...values)

  return {
    engine: 'sqlite',
    name: path,
    query: async statement => all(statement),
    tables: async () => tablesOf(all),
    async *read(table, after) {
      const values = table.columns.map(({ name }) => quoted(name)).join(', ')
      const where = after ? `where (${keyOf(table)}) > (${keyTypes(table)})` : ''
      const statement = file.prepare<{ line: string }, string[]>(
        `select json_array(${values}) as line from ${quoted(table.name)} ${where} order by ${keyOf(table)}`,
      )
      yield* inBatches(statement.iterate(...(after ?? [])))
      statement.finalize()
    },
    async insert(table, lines) {
      const values = table.columns.map((_, at) => `value->>${at}`).join(', ')
      file
        .query(`insert into ${quoted(table.name)} (${namesOf(table)}) select ${values} from json_each(?)`)
        .run(`[${lines.join(',')}]`)
    },
    async lastKey(table) {
      const texts = table.key.map((name, at) => `cast(${quoted(name)} as text) as k${at}`).join(', ')
      const order = table.key.map(name => `${quoted(name)} desc`).join(', ')
      const [last] = all<Record<string, string>>(`select ${texts} from ${quoted(table.name)} order by ${order} limit 1`)
      return last && Object.values(last)
    },
    sequences: async () => sequencesOf(all),
    async setSequences(sequences) {
      for (const [name, last] of Object.entries(sequences)) {
        const known = all('select seq from sqlite_sequence where name = ?', [name])
        if (known.length) file.run('update sqlite_sequence set seq = max(seq, ?) where name = ?', [last, name])
        else file.run('insert into sqlite_sequence (name, seq) values (?, ?)', [name, last])
      }
    },
    async clear() {
      file.close()
      removeDatabase(path)
      file = open(path, access)
    },
    replaced: () => 0,
    async finish() {
      const [broken] = all<{ table: string; parent: string }>('pragma foreign_key_check')
      if (broken) throw new Error(`a row of ${broken.table} refers to a missing row of ${broken.parent}`)
      file.run('pragma wal_checkpoint(truncate)')
      const written = openSync(path, 'r+')
      fsyncSync(written)
      closeSync(written)
    },
    close: async () => file.close(),
  }
}

/** With the files that SQLite keeps beside it. */
export function removeDatabase(path: string) {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(path + end, { force: true })
}

function open(path: string, access: Access): Database {
  if (access === 'read' && !existsSync(path)) throw new UnusableDatabase(`there is no database ${path}`)
  if (access === 'write') mkdirSync(dirname(path), { recursive: true })
  try {
    const file = new Database(path, access === 'read' ? { readonly: true } : { create: true })
    if (access === 'read') file.run('begin')
    // References are checked at the end, once for all rows.
    else for (const setting of WRITING) file.run(`pragma ${setting}`)
    file.query('select count(*) from sqlite_schema').get()
    return file
  } catch (error) {
    throw new UnusableDatabase(`cannot use ${path}: ${(error as Error).message}`)
  }
}

const WRITING = ['journal_mode = wal', 'synchronous = normal', 'foreign_keys = off', 'cache_size = -64000']

type All = <Row = Record<string, string | number | null>>(statement: string, values?: string[]) => Row[]

function tablesOf(all: All): DumpTable[] {
  const own = namedInMigrations('sqlite')
  const names = all<{ name: string }>("select name from sqlite_schema where type = 'table' order by name")
    .map(({ name }) => name)
    .filter(name => own.has(name) && isDumped(name))
  const parents = new Map<string, string[]>()
  const tables = names.map(name => {
    const columns = all<{ name: string; type: string; pk: number }>(`pragma table_info(${quoted(name)})`)
    const references = all<{ table: string }>(`pragma foreign_key_list(${quoted(name)})`)
    parents.set(
      name,
      references.map(({ table }) => table),
    )
    const key = columns.filter(({ pk }) => pk).sort((one, other) => one.pk - other.pk)
    return {
      name,
      columns: columns.map(column => ({ name: column.name, type: typeOf(column.type) })),
      key: key.map(column => column.name),
    }
  })
  return inOrder(tables, parents)
}

const typeOf = (type: string): ColumnType => (/int/i.test(type) ? 'whole' : /real/i.test(type) ? 'decimal' : 'text')

const keyOf = (table: DumpTable) => table.key.map(quoted).join(', ')
const keyTypes = (table: DumpTable) =>
  table.key
    .map(name => (table.columns.find(column => column.name === name)!.type === 'whole' ? 'cast(? as integer)' : '?'))
    .join(', ')

const sequencesOf = (all: All): Sequences => {
  const own = namedInMigrations('sqlite')
  const rows = all<{ name: string; seq: number }>('select name, seq from sqlite_sequence order by name')
  return Object.fromEntries(rows.filter(({ name }) => own.has(name) && isDumped(name)).map(row => [row.name, row.seq]))
}

function* inBatches(rows: Iterable<{ line: string }>): Generator<string[]> {
  let batch: string[] = []
  let characters = 0
  for (const { line } of rows) {
    batch.push(line)
    characters += line.length
    if (batch.length < BATCH_ROWS && characters < BATCH_CHARACTERS) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length) yield batch
}
