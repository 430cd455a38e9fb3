/** The database server: what it is, and whether it answers. */
import { sql } from 'drizzle-orm'
import { atomic, rawQuery, run, withoutTransaction } from './atomic.ts'
import { dialect } from './dialect.ts'

export interface DatabaseFacts {
  /** For example `SQLite 3.50.4`. */
  engine: string
  /** Size of the file, or of all tables and indexes. */
  size_bytes: number
}

const facts = {
  sqlite: {
    name: 'SQLite',
    query: sql`select sqlite_version() as version, page_count * page_size as size
      from pragma_page_count(), pragma_page_size()`,
  },
  postgres: {
    name: 'PostgreSQL',
    query: sql`select current_setting('server_version') as version, pg_database_size(current_database()) as size`,
  },
}

export const databaseFacts = (): Promise<DatabaseFacts> =>
  withoutTransaction(function* (tx) {
    const { name, query } = facts[dialect]
    const [row] = yield* run(rawQuery<{ version: string; size: number | string }>(tx, query))
    // PostgreSQL adds the distribution: `17.6 (Debian 17.6-1)`.
    return { engine: `${name} ${row!.version.split(' ')[0]}`, size_bytes: Number(row!.size) }
  })

const ANSWER_TIMEOUT_MS = 2000

/** Whether the database answers within 2 seconds. */
export const databaseAnswers = () =>
  Promise.race([
    atomic(function* (tx) {
      yield* run(rawQuery(tx, sql`select 1`))
      return true
    }).catch(() => false),
    Bun.sleep(ANSWER_TIMEOUT_MS).then(() => false),
  ])
