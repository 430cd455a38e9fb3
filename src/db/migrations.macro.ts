/** Reads all migrations of both engines at build time, so that the executable contains them. */
import { readdirSync, readFileSync } from 'node:fs'

export interface Migration {
  name: string
  statements: string[]
}

const folder = new URL('../../drizzle/', import.meta.url)

function read(engine: string): Migration[] {
  return readdirSync(new URL(`${engine}/`, folder))
    .filter(name => name.endsWith('.sql'))
    .sort()
    .map(name => ({
      name: name.slice(0, -'.sql'.length),
      statements: readFileSync(new URL(`${engine}/${name}`, folder), 'utf8')
        .split('--> statement-breakpoint')
        .map(statement => statement.trim())
        .filter(Boolean),
    }))
}

export function migrations(): Record<'sqlite' | 'postgres', Migration[]> {
  return { sqlite: read('sqlite'), postgres: read('postgres') }
}
