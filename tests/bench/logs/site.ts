/** The site under measurement: its database, its process, and an administrator who is signed in. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { residentMb } from '../../support/app/resident-memory.ts'
import { type Server, startServer } from '../../support/app/server.ts'
import { type Postgres, startPostgres } from '../../support/postgres/server.ts'
import { rejoin, setUp, signIn } from '../targets.ts'

export interface Site {
  env: Record<string, string>
  /** Environment of another database on the same engine, with nothing in it. */
  emptyLog(): Promise<Record<string, string>>
  /** Starts the server. @returns seconds until it listens */
  start(): Promise<number>
  stop(): Promise<void>
  fetch(path: string, init?: RequestInit): Promise<Response>
  url(): string
  /** An API key. */
  key(): string
  pid(): number
  resident_mb(): number
  /** Stops everything; the data goes unless it is kept. */
  end(keep: boolean): Promise<void>
}

/** As docs/running.md advises for a server on solid-state disks. */
const asInProduction = ['shared_buffers=1GB', 'random_page_cost=1.1', 'autovacuum=on']

interface Plan {
  engine: 'sqlite' | 'postgres'
  /** It has to be set up. */
  isNew: boolean
  /** Address of the mock upstream. */
  upstream: string
}

export async function makeSite(folder: string, { engine, isNew, upstream }: Plan): Promise<Site> {
  const data = join(folder, 'data')
  mkdirSync(data, { recursive: true })
  let postgres: Postgres | undefined
  const env: Record<string, string> = { NODE_ENV: 'production', LOG_LEVEL: 'error', DATA_DIR: data }
  env.DATABASE_URL = `file:${join(data, 'tollgate.db')}`
  if (engine === 'postgres') {
    // The server runs as another user than root.
    chmodSync(folder, 0o711)
    postgres = await startPostgres(folder, asInProduction)
    if (isNew) await postgres.create('bench')
    env.DATABASE_URL = postgres.url('bench')
  }
  let server: Server | undefined
  let session: Record<string, string> = {}
  let key = ''
  return {
    env,
    async emptyLog() {
      if (!postgres) {
        const beside = mkdtempSync(join(folder, 'empty-'))
        return { ...env, DATA_DIR: beside, DATABASE_URL: `file:${join(beside, 'tollgate.db')}` }
      }
      await postgres.drop('empty')
      await postgres.create('empty')
      return { ...env, DATABASE_URL: postgres.url('empty') }
    },
    async start() {
      const begin = performance.now()
      server = await startServer({ folder: data, env })
      const seconds = (performance.now() - begin) / 1000
      if (!key) key = await (isNew ? setUp : rejoin)(server.url, upstream)
      session = await signIn(server.url)
      return seconds
    },
    stop: async () => void (await server?.stop()),
    fetch: (path, init) => fetch(server!.url + path, { redirect: 'manual', ...init, headers: session }),
    url: () => server!.url,
    key: () => key,
    pid: () => server!.process.pid,
    resident_mb: () => residentMb(server!.process.pid),
    async end(keep) {
      await server?.stop('SIGKILL')
      await postgres?.stop()
      if (!keep) rmSync(folder, { recursive: true, force: true })
    },
  }
}
