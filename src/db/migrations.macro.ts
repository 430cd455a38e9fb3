/** Reads all migrations of both engines at build time, so that the executable contains them. */
import { readdirSync, readFileSync } from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'

export interface KnownMigration {
  name: string
  /** Name of the last migration that a program has to know to run on the schema from here on. */
  compatible_since: string
}

export interface Migration extends KnownMigration {
  statements: string[]
}

export type Engine = 'sqlite' | 'postgres'

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

export function migrations(): Record<Engine, Migration[]> {
  return { sqlite: read('sqlite'), postgres: read('postgres') }
}

/** All but their statements, which few starts need. */
export function knownMigrations(): Record<Engine, KnownMigration[]> {
  const { sqlite, postgres } = migrations()
  const known = (all: Migration[]) => all.map(({ name, compatible_since }) => ({ name, compatible_since }))
  return { sqlite: known(sqlite), postgres: known(postgres) }
}

/** The best one takes a third of a second at each start from the sources. */
const QUALITY = 6

/** Statements by engine and migration, as compressed JSON in base64: a text is in the executable twice. */
export function packedStatements(): string {
  const { sqlite, postgres } = migrations()
  const byName = (all: Migration[]) => Object.fromEntries(all.map(({ name, statements }) => [name, statements]))
  const text = JSON.stringify({ sqlite: byName(sqlite), postgres: byName(postgres) })
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } }).toString('base64')
}
