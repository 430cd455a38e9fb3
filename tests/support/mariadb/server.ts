/** A MariaDB server of the tests' own: a private port, a temporary folder, never the system's. */
import { chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import { bringPackages, serverProgram } from '../debian-packages.ts'
import { freePort } from '../postgres/server.ts'

export interface MariaDb {
  /** Where a Go program would find the database. */
  dsn(database: string): string
  /** Makes a database by these statements. */
  create(database: string, statements: Iterable<string>): Promise<void>
  stop(): Promise<void>
}

const START_MS = 120_000
const speed = ['--innodb-flush-log-at-trx-commit=0', '--innodb-buffer-pool-size=64M', '--skip-log-bin']

export async function startMariaDb(folder: string): Promise<MariaDb> {
  await bringPackages(['mariadb'])
  const data = join(folder, 'mariadb')
  mkdirSync(data, { recursive: true })
  const user = process.getuid?.() === 0 ? ['--user=mysql'] : []
  if (user.length) openTo('mysql', data)
  const own = ['--no-defaults', `--datadir=${data}`, `--tmpdir=${data}`, ...user]
  const init = ['--auth-root-authentication-method=normal', '--skip-test-db']
  await finish([Bun.which('mariadb-install-db')!, ...own, ...init])
  const port = await freePort()
  const address = ['--bind-address=127.0.0.1', `--port=${port}`, `--socket=${join(data, 'socket')}`]
  const server = Bun.spawn([serverProgram('mariadbd'), ...own, ...address, ...speed], {
    stdout: 'ignore',
    stderr: 'ignore',
  })
  const sql = await connected(`mysql://root@127.0.0.1:${port}/mysql`, server)
  return {
    dsn: database => `gate:p@ss:word@tcp(127.0.0.1:${port})/${database}?charset=utf8mb4`,
    async create(database, statements) {
      await sql.unsafe(`create database ${database} character set utf8mb4`)
      await sql.unsafe("create user if not exists gate@'127.0.0.1' identified by 'p@ss:word'")
      await sql.unsafe(`grant select on ${database}.* to gate@'127.0.0.1'`)
      const own = new SQL(`mysql://root@127.0.0.1:${port}/${database}`, { max: 1 })
      for (const statement of statements) await own.unsafe(statement)
      await own.close()
    },
    async stop() {
      await sql.close()
      server.kill('SIGTERM')
      await server.exited
    },
  }
}

/** The server runs as the packages' own user. */
function openTo(account: string, folder: string) {
  const { stdout } = Bun.spawnSync(['getent', 'passwd', account])
  const [, , uid, gid] = stdout.toString().split(':')
  chownSync(folder, Number(uid), Number(gid))
}

async function finish(command: string[]) {
  const run = Bun.spawn(command, { stdout: 'ignore', stderr: 'pipe' })
  if ((await run.exited) !== 0) throw new Error(`${command.join(' ')}\n${await new Response(run.stderr).text()}`)
}

async function connected(url: string, server: Bun.Subprocess): Promise<SQL> {
  const deadline = performance.now() + START_MS
  for (;;) {
    const sql = new SQL(url, { max: 1 })
    try {
      await sql.unsafe('select 1')
      return sql
    } catch (error) {
      if (server.exitCode !== null || performance.now() > deadline)
        throw new Error('MariaDB did not start', { cause: error })
      await Bun.sleep(100)
    }
  }
}
