/** The commands beside `serve`, on either engine: what they do, and what they refuse in one clear line. */
import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import { dialect } from '../../src/db/dialect.ts'
import { env } from '../../src/env.ts'
import { newFolder, run, type Server, startServer } from '../support/server.ts'

interface Place {
  folder: string
  env: Record<string, string>
  /** Runs a statement in the database, past the program. */
  change(statement: string): Promise<void>
}

const onPostgres = dialect === 'postgres'
const cluster = onPostgres ? new SQL(env.DATABASE_URL, { max: 1 }) : undefined
const made: string[] = []
const servers: Server[] = []

afterAll(async () => {
  for (const server of servers) await server.stop('SIGKILL')
  for (const name of made) await cluster?.unsafe(`drop database "${name}" with (force)`)
  await cluster?.close()
})

/** A folder and, on PostgreSQL, an empty database of its own. */
async function newPlace(): Promise<Place> {
  const folder = newFolder()
  if (!cluster) {
    const change = async (statement: string) => {
      const database = new Database(join(folder, 'tollgate.db'))
      database.run(statement)
      database.close()
    }
    return { folder, env: {}, change }
  }
  const name = `commands_${made.length}`
  await cluster.unsafe(`create database "${name}" template template0`)
  made.push(name)
  const url = new URL(env.DATABASE_URL)
  url.pathname = name
  const change = async (statement: string) => {
    const database = new SQL(url.href, { max: 1 })
    await database.unsafe(statement)
    await database.close()
  }
  return { folder, env: { DATABASE_URL: url.href }, change }
}

async function migrated(): Promise<Place> {
  const place = await newPlace()
  expect(await run(['migrate'], place)).toMatchObject({ code: 0, err: '' })
  return place
}

async function serving(place: Place): Promise<Server> {
  const server = await startServer(place)
  servers.push(server)
  return server
}

/** The one line that a refused command leaves. */
async function refusal(command: string[], place: Place): Promise<string> {
  const { code, out, err } = await run(command, { ...place, env: { LOG_LEVEL: 'warn', ...place.env } })
  expect([command, code, out, err.trimEnd().split('\n').length]).toEqual([command, 1, '', 1])
  return err.trim()
}

async function post(server: Server, path: string, body: object) {
  const response = await fetch(server.url + path, { method: 'POST', body: JSON.stringify(body) })
  return { response, answer: (await response.json()) as { success: boolean; data: { id: number } } }
}

/** What the server writes sooner or later. */
async function written(server: Server, pattern: RegExp): Promise<RegExpExecArray> {
  for (;;) {
    const found = pattern.exec(server.output())
    if (found) return found
    await Bun.sleep(10)
  }
}

const ROOT = { username: 'root', password: 'opensesame' }
const setUp = (server: Server) => post(server, '/api/setup', { ...ROOT, confirmPassword: ROOT.password })
const signIn = (server: Server, password = ROOT.password) => post(server, '/api/user/login', { ...ROOT, password })

const all = [['serve'], ['migrate'], ['audit'], ['reset-password', 'root']]
const writing = all.filter(([name]) => name !== 'audit')

test('migrate says what it has done, and then that nothing is left to do', async () => {
  const place = await newPlace()
  expect(await run(['migrate'], place)).toEqual({ code: 0, out: expect.stringMatching(/^migrated: 0000_\w+/), err: '' })
  expect(await run(['migrate'], place)).toEqual({ code: 0, out: 'the database is up to date\n', err: '' })
})

test('of several that find an empty database at once, one makes it; on PostgreSQL the others wait for that', async () => {
  const place = await newPlace()
  const ends = await Promise.all([1, 2, 3].map(() => run(['migrate'], place)))
  const failed = ends.filter(({ code }) => code !== 0)
  expect(ends.filter(({ out }) => out.startsWith('migrated'))).toHaveLength(1)
  if (onPostgres) expect(failed).toEqual([])
  for (const { err } of failed) expect(err).toMatch(/^tollgate: .+\n$/)
  expect((await run(['audit'], place)).out).toStartWith('audit: clean')
})

test('a database of a newer program is left alone by every command', async () => {
  const place = await migrated()
  await place.change("insert into migrations (name, applied_at) values ('9999_from_the_future', 1)")
  for (const command of all) {
    expect(await refusal(command, place)).toBe(
      'tollgate: the database is newer than this program (it has 9999_from_the_future); use a newer Tollgate',
    )
  }
})

test('a database of an older program is brought up to date first; when that cannot be done, nothing has changed', async () => {
  const place = await migrated()
  await place.change('delete from migrations')
  for (const command of [['audit'], ['reset-password', 'root']]) {
    expect(await refusal(command, place)).toBe(
      'tollgate: the database is older than this program; run tollgate migrate',
    )
  }
  for (const command of [['migrate'], ['serve']]) {
    expect(await refusal(command, place)).toMatch(/^tollgate: cannot bring the database up to date: .*already exists/)
  }
})

if (onPostgres)
  test('a PostgreSQL that cannot be written stops what would write', async () => {
    const place = await migrated()
    await place.change(`alter database "${made.at(-1)}" set default_transaction_read_only = on`)
    for (const command of writing) {
      expect(await refusal(command, place)).toBe('tollgate: cannot use this PostgreSQL: it cannot be written')
    }
    expect((await run(['audit'], place)).out).toStartWith('audit: clean')
  })

test('a command that looks for a database makes none', async () => {
  if (onPostgres) {
    const place = { ...(await newPlace()), env: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' } }
    for (const command of all) expect(await refusal(command, place)).toContain('cannot reach PostgreSQL')
    return
  }
  const place = await newPlace()
  for (const command of [['audit'], ['reset-password', 'root']]) {
    expect(await refusal(command, place)).toContain('there is no such file')
  }
  expect(await refusal(['backup', join(place.folder, 'copy.db')], place)).toContain('there is no database')
  expect(readdirSync(place.folder)).toEqual([])
})

test('what an administrator changes is written down; reset-password beside a running server ends the sessions of that person at once', async () => {
  const place = await newPlace()
  const server = await serving(place)
  await setUp(server)
  const { response, answer } = await signIn(server)
  const cookie = response.headers.get('set-cookie')!.split(';')[0]!
  const headers = { cookie, 'tollgate-user': String(answer.data.id) }
  const change = { method: 'PUT', headers, body: '{"key":"CheckInQuota","value":5}' }
  expect((await fetch(`${server.url}/api/option/`, change)).status).toBe(200)
  await written(server, / administration method=PUT path=\/api\/option\/ user_id=1 username=root request_id=req_/)
  const self = async () => (await fetch(`${server.url}/api/user/self`, { headers })).status
  expect(await self()).toBe(200)

  const { code, out } = await run(['reset-password', 'root'], place)
  expect(code).toBe(0)
  expect(await self()).toBe(401)
  expect((await signIn(server)).answer.success).toBe(false)
  expect((await signIn(server, out.trim())).answer.success).toBe(true)
  expect(await refusal(['reset-password', 'nobody'], place)).toBe('tollgate: there is no user nobody')
  expect(await refusal(['reset-password'], place)).toBe('tollgate: usage: tollgate reset-password NAME')
})

if (onPostgres)
  test('two nodes on one database know of each other’s set-up, sign-ins and sign-outs at once', async () => {
    const place = await newPlace()
    const one = await serving(place)
    const other = await serving(place)
    const isSetUp = async ({ url }: Server) =>
      ((await (await fetch(`${url}/api/setup`)).json()) as { data: { status: boolean } }).data.status
    expect([await isSetUp(one), await isSetUp(other)]).toEqual([false, false])
    await setUp(one)
    expect([await isSetUp(one), await isSetUp(other)]).toEqual([true, true])

    const { response, answer } = await signIn(one)
    const cookie = response.headers.get('set-cookie')!.split(';')[0]!
    const headers = { cookie, 'tollgate-user': String(answer.data.id) }
    const self = async ({ url }: Server) => (await fetch(`${url}/api/user/self`, { headers })).status
    expect([await self(one), await self(other)]).toEqual([200, 200])
    await fetch(`${other.url}/api/user/logout`, { headers })
    expect([await self(one), await self(other)]).toEqual([401, 401])
  })

test('a database that was sealed with another key is left alone', async () => {
  const place = await newPlace()
  const server = await serving(place)
  await setUp(server)
  const { response, answer } = await signIn(server)
  const headers = {
    cookie: response.headers.get('set-cookie')!.split(';')[0]!,
    'tollgate-user': String(answer.data.id),
  }
  const made = await fetch(`${server.url}/api/token/`, { method: 'POST', headers, body: '{"name":"sealed"}' })
  expect(made.status).toBe(200)
  await server.stop()

  const other = { ...place, env: { ...place.env, SECRET_KEY: 'not the key of this place' } }
  expect(await refusal(['serve'], other)).toBe(
    'tollgate: the secret key is not the one that this database was sealed with; set SECRET_KEY, or put secret.key back',
  )
  const key = join(place.folder, 'secret.key')
  const kept = await Bun.file(key).text()
  await Bun.write(key, '')
  expect(await refusal(['serve'], place)).toBe(
    `tollgate: cannot use the secret key in ${key}: it is empty or cut short`,
  )
  await Bun.write(key, kept)
  await serving(place)
})

test('reset-password opens the door again that was shut behind everyone', async () => {
  const place = await newPlace()
  const server = await serving(place)
  await setUp(server)
  const { response, answer } = await signIn(server)
  const headers = {
    cookie: response.headers.get('set-cookie')!.split(';')[0]!,
    'tollgate-user': String(answer.data.id),
  }
  const body = '{"key":"PasswordLoginEnabled","value":false}'
  await fetch(`${server.url}/api/option/`, { method: 'PUT', headers, body })
  expect((await signIn(server)).answer.success).toBe(false)
  await server.stop()
  const { out, err } = await run(['reset-password', 'root'], place)
  expect(err).toBe('password login was disabled and is enabled again; restart a server that is running\n')
  expect((await signIn(await serving(place), out.trim())).answer.success).toBe(true)
})

test('a demo is filled, says how to sign in, and leaves nothing behind', async () => {
  const { folder } = await newPlace()
  const server = await startServer({ folder, args: ['demo'], env: { TMPDIR: folder }, wait_ms: 60_000 })
  servers.push(server)
  const [, username, password] = await written(server, /Sign in as (\S+) \/ (\S+)/)
  expect((await post(server, '/api/user/login', { username, password })).answer.success).toBe(true)
  expect(await server.stop()).toBe(0)
  expect(readdirSync(folder).filter(name => existsSync(join(folder, name, 'tollgate.db')))).toEqual([])
})
