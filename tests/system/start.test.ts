// @engine sqlite
/** The start of the server; every failure is one line on stderr. */
import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { closeDatabase, openDatabase, sqlite } from '../../src/db/database.ts'
import { setUpAt, signInAt } from '../support/app/installation.ts'
import { newFolder, run, type Server, startServer } from '../support/app/server.ts'
import { setEnv } from '../support/env.ts'
import { sendWell } from '../support/people/member.ts'
import { until } from '../support/until.ts'

const servers: Server[] = []
afterAll(async () => void (await Promise.all(servers.map(server => server.stop('SIGKILL')))))

async function started(...args: Parameters<typeof startServer>): Promise<Server> {
  const server = await startServer(...args)
  servers.push(server)
  return server
}

/** The one line that a refused start leaves. */
async function refusal(folder: string, env: Record<string, string> = {}) {
  const { code, out, err } = await run(['serve'], { folder, env: { LOG_LEVEL: 'warn', ...env } })
  expect(code).not.toBe(0)
  expect(out).toBe('')
  expect(err.trimEnd().split('\n')).toHaveLength(1)
  return err.trim()
}

/** Scheduling policies of a process's threads, by name of the thread; proc_pid_stat(5), field 41. */
function policiesOf(pid: number): [name: string, policy: number][] {
  return readdirSync(`/proc/${pid}/task`).map(thread => {
    const [, name, rest] = /^\d+ \((.*)\) (.*)/s.exec(readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8'))!
    return [name!, Number(rest!.split(' ')[38])]
  })
}

const databaseOf = (folder: string) => join(folder, 'tollgate.db')

test('the server starts in an empty folder, prints its address and the next step, and hides its secret', async () => {
  const folder = join(newFolder(), 'made', 'by', 'the start')
  const server = await started({ folder })
  expect(server.output()).toContain(`${server.url}/setup`)
  expect(await (await fetch(`${server.url}/healthz`)).json()).toEqual({ status: 'ok' })
  expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({ status: 'ready' })
  const modes = ['.', ...readdirSync(folder)].map(name => [name, statSync(join(folder, name)).mode & 0o077])
  expect(modes.filter(([, others]) => others !== 0)).toEqual([])
  expect(modes.map(([name]) => name)).toEqual(expect.arrayContaining(['secret.key', 'tollgate.db']))
})

test('the thread of outgoing requests starts with the first one, and it alone runs in batches', async () => {
  const server = await started()
  await setUpAt(server)
  const root = await signInAt(server)
  const policies = () => policiesOf(server.process.pid)
  expect(policies().map(([name]) => name)).not.toContain('HTTP Client')
  using upstream = Bun.serve({ port: 0, fetch: () => Response.json({ data: [{ id: 'gpt-5' }] }) })
  const asked = { type: 1, key: 'sk-upstream', base_url: upstream.url.origin }
  const { data } = await sendWell(server.url, root, '/api/channel/fetch_models', { body: asked })
  expect(data).toEqual(['gpt-5'])
  const inBatches = () => policies().filter(([, policy]) => policy === 3)
  await until(() => inBatches().length > 0, 'a thread under the policy')
  expect(inBatches()).toEqual([['HTTP Client', 3]])
})

test('a new installation has no account and a secret of its own, which stays after a restart', async () => {
  const [one, other] = [await started(), await started()]
  const secretOf = (server: Server) => readFileSync(join(server.folder, 'secret.key'), 'utf8').trim()
  expect([secretOf(one), secretOf(other)]).toEqual([
    expect.stringMatching(/^[\w-]{43}$/),
    expect.stringMatching(/^[\w-]{43}$/),
  ])
  expect(secretOf(one)).not.toBe(secretOf(other))
  const post = (server: Server, path: string, body: object) =>
    fetch(server.url + path, { method: 'POST', body: JSON.stringify(body) })
  for (const password of ['123456', 'opensesame', 'admin', 'root', '']) {
    const response = await post(one, '/api/user/login', { username: 'root', password })
    expect([password, ((await response.json()) as { success: boolean }).success]).toEqual([password, false])
  }
  const root = { username: 'root', password: 'opensesame' }
  await post(one, '/api/setup', { ...root, confirmPassword: root.password })
  const cookie = (await post(one, '/api/user/login', root)).headers.get('set-cookie')!.split(';')[0]!
  const secret = secretOf(one)
  await one.stop('SIGKILL')
  const again = await started({ folder: one.folder })
  const self = await fetch(`${again.url}/api/user/self`, { headers: { cookie, 'tollgate-user': '1' } })
  expect([self.status, secretOf(again)]).toEqual([200, secret])
})

test('a second process on the data folder or port of another exits; a kill -9 unlocks the folder', async () => {
  const first = await started()
  expect(await refusal(first.folder)).toBe(
    `tollgate: another Tollgate is already running on the data folder ${first.folder}`,
  )
  const port = new URL(first.url).port
  expect(await refusal(newFolder(), { PORT: port })).toContain(`cannot listen on 127.0.0.1:${port}`)
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
  await first.stop('SIGKILL')
  // The folder is unlocked.
  await started({ folder: first.folder })
})

test('a database of a newer program stops the start and is not changed', async () => {
  const folder = newFolder()
  await run(['migrate'], { folder })
  const database = new Database(databaseOf(folder))
  database.run("insert into migrations (name, applied_at) values ('9999_from_the_future', 1)")
  database.close()
  expect(await refusal(folder)).toContain('the database is newer than this program (it has 9999_from_the_future)')
})

test('a file that is no database stops the start and is not changed', async () => {
  const folder = newFolder()
  writeFileSync(databaseOf(folder), 'these are not the bytes of a database '.repeat(200))
  expect(await refusal(folder)).toContain('is not a SQLite database')
  expect(statSync(databaseOf(folder)).size).toBe(7600)
})

test('a damaged database stops the start', async () => {
  const folder = newFolder()
  await run(['migrate'], { folder })
  const bytes = await Bun.file(databaseOf(folder)).bytes()
  await Bun.write(databaseOf(folder), bytes.fill(0x5a, 4096, 4096 * 6))
  expect(await refusal(folder)).toMatch(/it is damaged|malformed/)
})

test('a database path that is a folder, and a data folder that cannot be made, stop the start', async () => {
  const folder = newFolder()
  expect(await refusal(folder, { DATABASE_URL: `file:${folder}` })).toContain('cannot use')
  writeFileSync(join(folder, 'a file'), '')
  expect(await refusal(join(folder, 'a file', 'below'))).toContain('cannot write to the data folder')
})

test('a read-only database stops the start', async () => {
  const folder = newFolder()
  await run(['migrate'], { folder })
  // SQLite takes a file whose write version is too new for read-only, even when root opens it.
  const bytes = await Bun.file(databaseOf(folder)).bytes()
  bytes[18] = 3
  await Bun.write(databaseOf(folder), bytes)
  expect(await refusal(folder)).toContain('it cannot be written')
})

test.each([
  [{ PORT: 'eighty' }, 'PORT'],
  [{ DATABASE_URL: 'mysql://localhost/x' }, 'DATABASE_URL: must start with file: or postgres://'],
  [{ DATABASE_URL: 'file:' }, 'DATABASE_URL: must start with file: or postgres://'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
  [{ TRUSTED_PROXIES: '10.0.0.0/8, proxy' }, 'TRUSTED_PROXIES: must be addresses or ranges such as 10.0.0.0/8'],
  [{ OUTBOUND_ALLOW: '10.0.0.0/33' }, 'OUTBOUND_ALLOW: must be addresses or ranges'],
  [{ GITHUB_URL: 'github.example' }, 'GITHUB_URL: must be an http or https address'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT: must be an http or https address'],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'api-key' }, 'OTEL_EXPORTER_OTLP_HEADERS: must be name=value pairs'],
  [{ OTEL_RESOURCE_ATTRIBUTES: 'shop=%zz' }, 'OTEL_RESOURCE_ATTRIBUTES: must be name=value pairs'],
  [{ OTEL_TRACES_SAMPLER: 'often' }, 'OTEL_TRACES_SAMPLER'],
  [{ OTEL_TRACES_SAMPLER_ARG: '10' }, 'OTEL_TRACES_SAMPLER_ARG'],
  [{ SECRET_KEY: 'short' }, 'SECRET_KEY: must have at least 16 characters'],
  [{ SECRET_KEY: 'random_string' }, 'SECRET_KEY: must have at least 16 characters'],
])('an invalid setting %j stops the start and is named', async (env, name) => {
  expect(await refusal(newFolder(), env as unknown as Record<string, string>)).toStartWith(
    `tollgate: bad setting ${name}`,
  )
})

test('an unreachable PostgreSQL stops the start and is named', async () => {
  expect(await refusal(newFolder(), { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })).toContain(
    'cannot reach PostgreSQL',
  )
})

test('an unknown command exits with the list of commands', async () => {
  const { code, err } = await run(['dance'])
  expect(code).toBe(1)
  expect(err).toContain(
    'there is no command dance; there are serve, demo, migrate, audit, backup, restore, move, import, shadow, reset-password, sign-in-link, rotate-key',
  )
})

test.each([
  ['normal', 1],
  ['full', 2],
] as const)("DURABILITY=%s sets SQLite's synchronous mode", async (DURABILITY, synchronous) => {
  setEnv({ DURABILITY, DATABASE_URL: `file:${databaseOf(newFolder())}` })
  await openDatabase()
  expect(sqlite!.query('PRAGMA synchronous').get()).toEqual({ synchronous })
  await closeDatabase()
})

test('SIGTERM without a running call exits at once with 0 and removes the lock', async () => {
  const server = await started()
  expect(await server.stop()).toBe(0)
  expect(existsSync(`${databaseOf(server.folder)}-wal`)).toBe(false)
})
