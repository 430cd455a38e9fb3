/** Reads all migrations of both engines at build time, so that the executable contains them. */
import { readdirSync, readFileSync } from 'node:fs'

export interface Migration {
  name: string
  statements: string[]
  /** Name of the last migration that a program has to know to run on the schema from here on. */
  compatible_since: string
}

const folder = new URL('../../drizzle/', import.meta.url)

/** The line `-- compatible since NAME` of a migration that takes away what earlier programs need. It holds for those after it. */
const floorLine = /^-- compatible since (\w+)$/m

function read(engine: string): Migration[] {
  let compatible_since = ''
  return readdirSync(new URL(`${engine}/`, folder))
    .filter(name => name.endsWith('.sql'))
    .sort()
    .map(file => {
      const name = file.slice(0, -'.sql'.length)
      const text = readFileSync(new URL(`${engine}/${file}`, folder), 'utf8')
      compatible_since = floorLine.exec(text)?.[1] ?? compatible_since
      const statements = text.split('--> statement-breakpoint').map(statement => statement.trim())
      return { name, statements: statements.filter(Boolean), compatible_since }
    })
}

export function migrations(): Record<'sqlite' | 'postgres', Migration[]> {
  return { sqlite: read('sqlite'), postgres: read('postgres') }
}
