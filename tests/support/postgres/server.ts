/** A PostgreSQL server of the tests' own: a private port, a temporary folder, no durability, never the system's cluster. */

import { chownSync, existsSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { SQL } from 'bun'
import { postgresPrograms } from '../debian-packages.ts'

export type Postgres = {
  /** The address of a database on this server. */
  url(database: string): string
  create(database: string, template?: string): Promise<void>
  drop(database: string): Promise<void>
  stop(): Promise<void>
}

const speed = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_wal_size=4GB', 'shared_buffers=64MB']
/** No autovacuum: a connection of its own would keep the template database from being copied. */
const alone = ['autovacuum=off', 'max_connections=500']
const startup_ms = 120_000
const PORTS_TRIED = 5

/** @param more settings beyond those of tests. A folder with a server's data is opened as it is. */
export async function startPostgres(folder: string, more: string[] = []): Promise<Postgres> {
  const programs = postgresPrograms()
  if (!programs) throw new Error('PostgreSQL is not installed')
  const data = join(folder, 'postgres')
  const prefix = unprivileged(data)

  const initialise = [
    ...prefix,
    join(programs, 'initdb'),
    '-D',
    data,
    '-U',
    'tollgate',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--no-sync',
    '--locale=C.UTF-8',
  ]
  if (!existsSync(join(data, 'PG_VERSION'))) await finish(initialise)
  const { server, url, sql } = await listening([...prefix, join(programs, 'postgres'), '-D', data], data, more)
  return {
    url,
    create: async (database, template = 'template0') =>
      void (await sql.unsafe(`create database "${database}" template "${template}"`)),
    drop: async database => void (await sql.unsafe(`drop database if exists "${database}" with (force)`)),
    stop: async () => {
      await sql.close()
      server.kill('SIGQUIT')
      await server.exited
    },
  }
}

/** Another process may take the port that was free just now: then the server ends, and another port is tried. */
async function listening(command: string[], cwd: string, more: string[]) {
  for (let tried = 0; tried < PORTS_TRIED; tried++) {
    const port = await freePort()
    const settings = [
      'listen_addresses=127.0.0.1',
      `port=${port}`,
      'unix_socket_directories=',
      ...alone,
      ...speed,
      ...more,
    ]
    const server = Bun.spawn([...command, ...settings.flatMap(setting => ['-c', setting])], {
      stdout: 'ignore',
      stderr: 'ignore',
      cwd,
    })
    const url = (database: string) => `postgres://tollgate@127.0.0.1:${port}/${database}`
    const sql = await connected(url('postgres'), server)
    if (sql) return { server, url, sql }
  }
  throw new Error('PostgreSQL did not start')
}

/** PostgreSQL refuses to run as root: become the packages' own user, who then owns the folder. */
function unprivileged(folder: string): string[] {
  mkdirSync(folder, { mode: 0o700, recursive: true })
  const lastWish = ['setpriv', '--pdeathsig', 'QUIT']
  if (process.getuid?.() !== 0) return process.platform === 'linux' ? lastWish : []
  const { uid, gid } = account('postgres') ?? account('nobody')!
  chownSync(folder, uid, gid)
  return [...lastWish, `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
}

function account(name: string) {
  const { stdout } = Bun.spawnSync(['getent', 'passwd', name])
  const [, , uid, gid] = stdout.toString().split(':')
  return uid ? { uid: Number(uid), gid: Number(gid) } : undefined
}

async function finish(command: string[]) {
  const run = Bun.spawn(command, { stdout: 'ignore', stderr: 'pipe' })
  if ((await run.exited) !== 0) throw new Error(`${command.join(' ')}\n${await new Response(run.stderr).text()}`)
}

export const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

/** Nothing when the server has ended. */
async function connected(url: string, server: Bun.Subprocess): Promise<SQL | undefined> {
  const deadline = performance.now() + startup_ms
  while (server.exitCode === null) {
    const sql = new SQL(url, { max: 1 })
    try {
      await sql`select 1`
      return sql
    } catch (error) {
      if (performance.now() > deadline) throw new Error('PostgreSQL did not start', { cause: error })
      await Bun.sleep(50)
    }
  }
}
