/** A place of its own for real processes, on the engine of this run: a folder and, on PostgreSQL, an empty database. */
import { Database } from 'bun:sqlite'
import { afterAll, expect } from 'bun:test'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import { dialect } from '../../../src/db/dialect.ts'
import { env } from '../../../src/env.ts'
import { newFolder, run, type Server, startServer } from './server.ts'
import { setUpTemplate } from './site.ts'

export interface Installation {
  folder: string
  env: Record<string, string>
  /** Runs a statement in the database, past the program. */
  change(statement: string): Promise<void>
  /** Rows of a query, past the program. */
  read(query: string): Promise<unknown[]>
  /** Ends the connection of `read`, which the next one opens again. */
  release(): Promise<void>
}

const cluster = dialect === 'postgres' ? new SQL(env.DATABASE_URL, { max: 1 }) : undefined
const made: (Pick<Installation, 'release'> & { name: string })[] = []
const servers: Server[] = []

afterAll(async () => {
  for (const server of servers) await server.stop('SIGKILL')
  for (const { name, release } of made) {
    await release()
    await cluster?.unsafe(`drop database "${name}" with (force)`)
  }
  await cluster?.close()
})

/** Nothing may run on the place that is copied. Its settings come along, but for the database. */
export async function copyOf({ folder, env, release }: Installation): Promise<Installation> {
  await release()
  const from = env.DATABASE_URL && new URL(env.DATABASE_URL).pathname.slice(1)
  const copy = await newInstallation(from)
  cpSync(folder, copy.folder, { recursive: true })
  return { ...copy, env: { ...env, ...copy.env } }
}

/** @param template the database to copy on PostgreSQL: an empty one when it is not given */
export async function newInstallation(template = 'template0'): Promise<Installation> {
  const folder = newFolder()
  if (!cluster) {
    const read = async (query: string) => {
      const database = new Database(join(folder, 'tollgate.db'))
      try {
        return database.query(query).all()
      } finally {
        database.close()
      }
    }
    return { folder, env: {}, read, change: async statement => void (await read(statement)), release: async () => {} }
  }
  const url = new URL(env.DATABASE_URL)
  const name = `${url.pathname.slice(1)}_${made.length}`
  await cluster.unsafe(`create database "${name}" template "${template}"`)
  url.pathname = name
  // One for all queries: each new connection costs PostgreSQL ten milliseconds of processor.
  let database: SQL | undefined
  const read = async (query: string) => {
    database ??= new SQL(url.href, { max: 1 })
    return Array.from((await database.unsafe(query)) as unknown[])
  }
  const release = async () => {
    await database?.close()
    database = undefined
  }
  made.push({ name, release })
  const change = async (statement: string) => void (await read(statement))
  return { folder, env: { DATABASE_URL: url.href }, read, change, release }
}

let first: Promise<Installation> | undefined

/** Set up, with root's account: a copy of the one of the run, or of the test file when it is run by itself. */
export async function setUpInstallation(): Promise<Installation> {
  const { SET_UP_FOLDER } = process.env
  if (SET_UP_FOLDER) {
    const place = await newInstallation(setUpTemplate)
    cpSync(join(SET_UP_FOLDER, dialect), place.folder, { recursive: true })
    return place
  }
  first ??= installed()
  return copyOf(await first)
}

async function installed(): Promise<Installation> {
  const place = await newInstallation()
  const server = await startAt(place)
  await setUpAt(server)
  await server.stop()
  return place
}

export async function startAt(
  place: Pick<Installation, 'folder' | 'env'>,
  settings: Parameters<typeof startServer>[0] = {},
): Promise<Server> {
  const server = await startServer({ ...place, ...settings })
  servers.push(server)
  return server
}

/** The one line that a refused command leaves. */
export async function startupErrorOf(command: string[], place: Pick<Installation, 'folder' | 'env'>): Promise<string> {
  const { code, out, err } = await run(command, { ...place, env: { LOG_LEVEL: 'warn', ...place.env } })
  expect([command, code, out, err.trimEnd().split('\n').length]).toEqual([command, 1, '', 1])
  return err.trim()
}

/** What the server writes sooner or later. */
export async function outputMatching(server: Server, pattern: RegExp): Promise<RegExpExecArray> {
  for (;;) {
    const found = pattern.exec(server.output())
    if (found) return found
    await Bun.sleep(10)
  }
}

const ROOT = { username: 'root', password: 'opensesame' }

export const setUpAt = (server: Server) => post(server, '/api/setup', { ...ROOT, confirmPassword: ROOT.password })

/** Whether that is allowed, and the headers of whoever has signed in. */
export async function signInAt(server: Server, as: Partial<typeof ROOT> = {}) {
  const { response, answer } = await post(server, '/api/user/login', { ...ROOT, ...as })
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
  return { success: answer.success, headers: { cookie, 'tollgate-user': String(answer.data?.id) } }
}

async function post(server: Server, path: string, body: object) {
  const response = await fetch(server.url + path, { method: 'POST', body: JSON.stringify(body) })
  return { response, answer: (await response.json()) as { success: boolean; data: { id: number } | null } }
}
