// @engine sqlite
/** The private fields of drizzle that prepared statements read, in the pinned version. */
import { beforeAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sql'
import { bigint, pgTable } from 'drizzle-orm/pg-core'
import manifest from '../../package.json' with { type: 'json' }
import { column as c } from '../../src/db/columns.ts'
import { db, openDatabase, sqlite } from '../../src/db/database.ts'
import { prepare } from '../../src/db/drizzle-internals.ts'
import { prepared, rowsNow } from '../../src/db/prepared.ts'

const notes = c.table('notes', { id: c.id(), text: c.text(), hidden: c.flag() })

beforeAll(async () => {
  await openDatabase()
  sqlite!.run('create table notes (id integer primary key, text text, hidden integer)')
})

test('drizzle-orm is pinned to the version whose private fields are read', () => {
  // After an update: when the tests below pass, name the new version.
  expect(manifest.dependencies['drizzle-orm']).toBe('0.45.4')
})

test('a prepared SQLite query has a statement, its parameters and its fields', () => {
  const where = eq(notes.id, sql.placeholder('id'))
  const { stmt, query, fields } = prepare(db.select({ text: notes.text }).from(notes).where(where))
  expect(stmt.values).toBeFunction()
  expect(query.params).toHaveLength(1)
  expect(fields).toMatchObject([{ path: ['text'], field: expect.anything() }])
})

test('a prepared statement encodes values and decodes rows by column', () => {
  const value = sql.placeholder
  const insert = prepared(db => db.insert(notes).values({ text: value('text'), hidden: value('hidden') }))
  const read = prepared(db => db.select({ text: notes.text, hidden: notes.hidden }).from(notes).orderBy(notes.id))
  rowsNow(insert(db, { text: 'one', hidden: true }))
  rowsNow(insert(db, { text: null, hidden: false }))
  expect(rowsNow(read(db, {}))).toEqual([
    { text: 'one', hidden: true },
    { text: null, hidden: false },
  ])
})

test('a prepared PostgreSQL query and a transaction have a client that can be exchanged', () => {
  const client = new SQL('postgres://nobody@localhost/nothing')
  const rows = pgTable('rows', { id: bigint({ mode: 'number' }) })
  const postgres = drizzle({ client })
  expect(prepare(postgres.select().from(rows))).toHaveProperty('client', client)
  expect(postgres).toHaveProperty('session.client', client)
})
