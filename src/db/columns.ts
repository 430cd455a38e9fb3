/** The whole vocabulary of our tables: the only file that knows both dialects' builders. */
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import { dialect } from './dialect.ts'

const sqlite = {
  table: lite.sqliteTable,
  index: lite.index,
  unique: lite.uniqueIndex,
  primary: lite.primaryKey,
  id: () => lite.integer().primaryKey({ autoIncrement: true }),
  text: () => lite.text(),
  /** A 64-bit whole number: money, unix seconds, counts. */
  whole: () => lite.integer(),
  decimal: () => lite.real(),
  flag: () => lite.integer({ mode: 'boolean' }),
  json: <T>() => lite.text({ mode: 'json' }).$type<T>(),
}

const jsonText = pg.customType<{ data: any; driverData: string }>({
  dataType: () => 'text',
  toDriver: value => JSON.stringify(value),
  fromDriver: text => JSON.parse(text),
})

const postgres = {
  table: pg.pgTable,
  index: pg.index,
  unique: pg.uniqueIndex,
  primary: pg.primaryKey,
  id: () => pg.bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
  text: () => pg.text(),
  whole: () => pg.bigint({ mode: 'number' }),
  decimal: () => pg.doublePrecision(),
  flag: () => pg.boolean(),
  json: () => jsonText(),
} satisfies Record<keyof typeof sqlite, unknown>

export const column = (dialect === 'sqlite' ? sqlite : postgres) as typeof sqlite
