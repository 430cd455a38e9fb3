/** Many rows into one table, for what is written thousands of times a second. */
import { getTableColumns, type InferInsertModel, sql, type Table } from 'drizzle-orm'
import { run } from './atomic.ts'
import { type Db, db, type Tx } from './database.ts'
import { dialect } from './dialect.ts'

/** PostgreSQL takes at most 65,535 parameters in a statement. */
const ROWS_AT_ONCE = 1000

/** Rows must name every column but `id`. SQLite runs a statement that was prepared once; PostgreSQL sends all rows together. */
export function* insertAll<T extends Table>(tx: Tx, table: T, rows: InferInsertModel<T>[]) {
  if (dialect === 'sqlite') {
    const insert = prepared(table)
    yield* run({ all: () => rows.forEach(row => insert.run(row)) } as never)
    return
  }
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    yield* run(tx.insert(table as never).values(rows.slice(start, start + ROWS_AT_ONCE) as never))
  }
}

type Insert = { run(row: Record<string, unknown>): unknown }

/** One statement a table, for as long as this connection is open. */
let kept: { db: Db; inserts: Map<Table, Insert> } | undefined

function prepared(table: Table): Insert {
  if (kept?.db !== db) kept = { db, inserts: new Map() }
  let insert = kept.inserts.get(table)
  if (!insert) {
    const names = Object.keys(getTableColumns(table)).filter(name => name !== 'id')
    const values = Object.fromEntries(names.map(name => [name, sql.placeholder(name)]))
    insert = db
      .insert(table as never)
      .values(values as never)
      .prepare() as Insert
    kept.inserts.set(table, insert)
  }
  return insert
}
