/** MariaDB and PostgreSQL with databases of other gateways, beside a SQLite file: started before the tests of a file, stopped after them. */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll } from 'bun:test'
import { chmodSync } from 'node:fs'
import { SQL } from 'bun'
import { newFolder } from '../app/server.ts'
import { type MariaDb, startMariaDb } from '../mariadb/server.ts'
import { type Postgres, startPostgres } from '../postgres/server.ts'
import { fileOf } from './house.ts'
import { type ForeignEngine, type Gateway, type Rows, statementsOf } from './schemas.ts'

/**
 * @returns a function that makes a database of a gateway with these rows, runs statements in it, in which names have
 * quotation marks and `||` joins texts, and gives what `import` and `--against` take
 */
export function databaseServers(): (
  engine: ForeignEngine,
  gateway: Gateway,
  rows: Rows,
  more?: string[],
) => Promise<string> {
  let mariaDb: MariaDb | undefined
  let postgres: Postgres | undefined
  let made = 0
  beforeAll(async () => {
    const folder = newFolder()
    // The servers run as users of their own.
    chmodSync(folder, 0o711)
    mariaDb = await startMariaDb(folder)
    postgres = await startPostgres(folder)
  })
  afterAll(async () => {
    await mariaDb?.stop()
    await postgres?.stop()
  })
  return async (engine, gateway, rows, more = []) => {
    if (engine === 'sqlite') {
      const path = fileOf(gateway, rows)
      using file = new Database(path)
      for (const statement of more) file.run(statement)
      return path
    }
    const name = `old${made++}`
    const statements = statementsOf(engine, gateway, rows)
    if (engine === 'mysql') {
      await mariaDb!.create(name, [...statements, "set sql_mode = 'ANSI'", ...more])
      return mariaDb!.dsn(name)
    }
    await postgres!.create(name)
    const sql = new SQL(postgres!.url(name), { max: 1 })
    for (const statement of [...statements, ...more]) await sql.unsafe(statement)
    await sql.close()
    return postgres!.url(name)
  }
}
