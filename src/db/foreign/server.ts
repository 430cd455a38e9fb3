/** A MySQL, MariaDB or PostgreSQL database of another program. */
import { SQL } from 'bun'
import { UnusableDatabase } from '../database.ts'
import type { ServerAddress } from './address.ts'
import type { ForeignDriver, ForeignRow } from './foreign-database.ts'

/** One snapshot: what the other program writes meanwhile is not seen. */
const BEGIN = {
  mysql: [
    "set time_zone = '+00:00'",
    'set session transaction isolation level repeatable read',
    'start transaction with consistent snapshot, read only',
  ],
  postgres: ["set time zone 'UTC'", 'begin isolation level repeatable read, read only'],
} as const

const OWN_SCHEMA = { mysql: 'database()', postgres: 'current_schema()' } as const

/** @throws UnusableDatabase */
export async function serverDriver({ engine, name, ...address }: ServerAddress): Promise<ForeignDriver> {
  const connection = new SQL({ ...address, adapter: engine, max: 1, bigint: false } as SQL.Options)
  const query = async (statement: string): Promise<ForeignRow[]> => Array.from(await connection.unsafe(statement))
  try {
    for (const statement of BEGIN[engine]) await query(statement)
  } catch (error) {
    await connection.close().catch(() => undefined)
    throw new UnusableDatabase(`cannot reach ${name}: ${(error as Error).message}`)
  }
  return {
    engine,
    name,
    quote: engine === 'mysql' ? '`' : '"',
    query,
    async catalogue() {
      const rows = await query(`select table_name as tbl, column_name as col
        from information_schema.columns where table_schema = ${OWN_SCHEMA[engine]}`)
      return rows.map(({ tbl, col }) => ({ table: String(tbl), column: String(col) }))
    },
    close: () => connection.close(),
  }
}
