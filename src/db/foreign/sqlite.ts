/** A SQLite file of another program. */
import { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { UnusableDatabase } from '../database.ts'
import type { ForeignDriver, ForeignRow } from './foreign-database.ts'

/** Read in one transaction, which sees one moment. @throws UnusableDatabase */
export async function sqliteDriver(path: string): Promise<ForeignDriver> {
  const file = open(path)
  const all = (statement: string) => {
    try {
      return file.prepare<ForeignRow, []>(statement).all()
    } catch (error) {
      throw unreadable(path, error)
    }
  }
  return {
    engine: 'sqlite',
    name: path,
    quote: '"',
    query: async statement => all(statement),
    catalogue: async () =>
      all(`select s.name as "table", c.name as "column" from sqlite_schema s, pragma_table_info(s.name) c
        where s.type = 'table'`) as { table: string; column: string }[],
    close: async () => file.close(),
  }
}

function open(path: string): Database {
  if (!existsSync(path)) throw new UnusableDatabase(`there is no file ${path}`)
  try {
    const file = new Database(path, { readonly: true })
    // An uploaded file may be anyone's: its schema calls no functions.
    file.run('pragma trusted_schema = off')
    file.run('begin')
    file.query('select count(*) from sqlite_schema').get()
    return file
  } catch (error) {
    throw unreadable(path, error)
  }
}

const unreadable = (path: string, error: unknown) =>
  new UnusableDatabase(`cannot read ${path}: ${(error as Error).message}`)
