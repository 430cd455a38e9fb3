/** Column types of both engines: the only file that uses their table builders. */
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import { seal, unseal } from '../crypto/sealing.ts'
import { dialect } from './dialect.ts'

const sealedText = {
  dataType: () => 'text',
  toDriver: seal,
  fromDriver(stored: string) {
    try {
      return unseal(stored)
    } catch {
      // Sealed under another secret key: the other rows of a list must still load.
      return stored
    }
  },
}

const sqlite = {
  table: lite.sqliteTable,
  index: lite.index,
  unique: lite.uniqueIndex,
  primary: lite.primaryKey,
  id: () => lite.integer().primaryKey({ autoIncrement: true }),
  text: () => lite.text(),
  /** Text that is encrypted at rest and cannot be searched. */
  sealed: lite.customType<{ data: string; driverData: string }>(sealedText),
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
  sealed: pg.customType<{ data: string; driverData: string }>(sealedText),
  whole: () => pg.bigint({ mode: 'number' }),
  decimal: () => pg.doublePrecision(),
  flag: () => pg.boolean(),
  json: () => jsonText(),
} satisfies Record<keyof typeof sqlite, unknown>

export const column = (dialect === 'sqlite' ? sqlite : postgres) as typeof sqlite
