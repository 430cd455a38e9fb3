// @engine both
/** `tollgate rotate-key`, as real processes: everything opens under the new secret, and a broken run changes nothing. */
import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import { sealerUnder } from '../../src/crypto/sealing.ts'
import { dialect } from '../../src/db/dialect.ts'
import { sealedColumns } from '../../src/domain/secret-key/index.ts'
import {
  copyOf,
  type Installation,
  newInstallation,
  setUpAt,
  setUpInstallation,
  signInAt,
  startAt,
  startupErrorOf,
} from '../support/app/installation.ts'
import { program, run } from '../support/app/server.ts'
import { read } from '../support/source/files.ts'

const SECRET = 'rotation-secret-of-an-option'
const OTHER_KEY = 'another key of this place'

const keyFile = ({ folder }: Installation) => join(folder, 'secret.key')
const keyOf = (place: Installation) => readFileSync(keyFile(place), 'utf8').trim()
const keptKeys = ({ folder }: Installation) => readdirSync(folder).filter(name => name.startsWith('secret.key.until-'))
const rotate = (place: Installation, env: Record<string, string> = {}) =>
  run(['rotate-key'], { ...place, env: { ...place.env, ...env } })

let first: ReturnType<typeof furnish> | undefined

/** A copy of a place that is furnished once. */
async function furnished() {
  first ??= furnish()
  const { place, key } = await first
  return { place: await copyOf(place), key }
}

/** One row or more for every sealed column: some made by the server, the rest sealed here under its key. */
async function furnish(env: Record<string, string> = {}) {
  const place = env.SECRET_KEY ? await newInstallation() : await setUpInstallation()
  place.env = { ...place.env, ...env }
  const server = await startAt(place)
  if (env.SECRET_KEY) await setUpAt(server)
  const { headers } = await signInAt(server)
  const send = async (method: string, path: string, body: object, more: Record<string, string> = {}) => {
    const response = await fetch(server.url + path, {
      method,
      headers: { ...headers, ...more, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as { success: boolean; data: any }
    expect([path, answer.success]).toEqual([path, true])
    return answer.data
  }
  const { key } = await send('POST', '/api/token/', { name: 'one', unlimited_quota: true })
  for (let count = 0; count < 3; count++) await send('POST', '/api/token/', { name: `more ${count}` })
  await send('POST', '/api/channel/', {
    name: 'c',
    key: 'sk-upstream',
    models: 'm',
    setting: '{"system_prompt":"hush"}',
  })
  await send('POST', '/api/redemption/', { name: 'r', quota: 5, count: 2 }, { 'idempotency-key': 'once' })
  await send('PUT', '/api/option/', { key: 'SMTPToken', value: SECRET })
  await send('PUT', '/api/user/setting', { notify_type: 'email', quota_warning_threshold: 5 })
  await server.stop()
  const { seal } = sealerUnder(env.SECRET_KEY ?? keyOf(place))
  await place.change(`insert into authenticators (user_id, secret, last_step, confirmed_time, created_time)
    values (1, '${seal('TOTP')}', 0, null, 1)`)
  await place.change(`insert into mails (recipient, subject, text, html, tries, next_time, created_time)
    values ('a@b.c', 's', '${seal('text')}', '${seal('html')}', 0, 4000000000, 1)`)
  await place.change(`insert into webhooks (user_id, notice, tries, next_time, created_time)
    values (1, '${seal('{}')}', 0, 4000000000, 1)`)
  await place.change(`insert into one_time_secrets (purpose, subject, hash, data, tries, created_time, expires_time)
    values ('p', 's', 'h', '${seal('data')}', 0, 1, 4000000000), ('p', 't', 'h', '${seal('more')}', 0, 1, 4000000000)`)
  const kept = "'resp_1', 1, 'n', 'completed'"
  await place.change(`insert into background_responses
    (id, user_id, node, status, is_streamed, bytes, created_time, expires_time, response)
    values (${kept}, ${dialect === 'sqlite' ? 1 : true}, 9, 1, 4000000000, '${seal('response')}')`)
  await place.change(`insert into background_events (response_id, first, last, events)
    values ('resp_1', 0, 1, '${seal('events')}')`)
  return { place, key: String(key) }
}

const tableName = (column: (typeof sealedColumns)[number]) =>
  (column.table as unknown as Record<symbol, string>)[Symbol.for('drizzle:Name')]!

/** Every text of the database that looks sealed, with its table. */
async function sealedTexts(place: Installation) {
  const tables = (await place.read(
    dialect === 'sqlite'
      ? "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'"
      : "select table_name as name from information_schema.tables where table_schema = 'public'",
  )) as { name: string }[]
  const found: { place: string; text: string }[] = []
  for (const { name } of tables) {
    for (const row of (await place.read(`select * from "${name}"`)) as Record<string, unknown>[])
      for (const [column, text] of Object.entries(row))
        if (typeof text === 'string' && text.startsWith('v1:')) found.push({ place: `${name}.${column}`, text })
  }
  return found
}

/** Which texts a secret opens, and which not, by table and column. */
async function openedBy(place: Installation, secret: string) {
  const { unseal } = sealerUnder(secret)
  const opened = new Set<string>()
  const shut = new Set<string>()
  for (const { place: where, text } of await sealedTexts(place)) (unseal(text) === undefined ? shut : opened).add(where)
  return { opened: [...opened].sort(), shut: [...shut].sort() }
}

const everyColumn = [...new Set(sealedColumns.map(column => `${tableName(column)}.${column.field}`))].sort()

/** The server starts, accepts its API key and shows it. */
async function works(place: Installation, key: string) {
  const server = await startAt(place)
  const models = await fetch(`${server.url}/v1/models`, { headers: { authorization: `Bearer sk-${key}` } })
  expect(models.status).toBe(200)
  const { headers } = await signInAt(server)
  const listed = (await (await fetch(`${server.url}/api/token/`, { headers })).json()) as { data: { key: string }[] }
  expect(listed.data.map(item => item.key)).toContain(key)
  await server.stop()
}

test('every sealed column of the schema is in the list', async () => {
  const declared = (await read('src/{domain,cluster}/**/table.ts')).flatMap(({ code }) =>
    [...code.matchAll(/^\s*(\w+): (?:c\.sealed\(\)|c\.text\(\)(?=.*$))/gm)]
      .filter(([line, name]) => line.includes('sealed()') || name!.endsWith('_sealed'))
      .map(([, name]) => name!),
  )
  const listed = sealedColumns.filter(({ where }) => !where).map(({ field }) => field)
  expect(declared.sort()).toEqual(listed.sort())
})

test('a rotation seals everything anew, keeps the old key beside the new one and ends sessions', async () => {
  const { place, key } = await furnished()
  const before = keyOf(place)
  expect(await openedBy(place, before)).toEqual({ opened: everyColumn, shut: [] })
  const { code, out, err } = await rotate(place)
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(
    /^\d+ secrets are sealed under the new key; every user has to sign in again; the key before it is in /,
  )
  expect(out).not.toContain(keyOf(place))
  expect(keyOf(place)).not.toBe(before)
  expect(statSync(keyFile(place)).mode & 0o777).toBe(0o600)
  expect(existsSync(`${keyFile(place)}.new`)).toBe(false)
  const [kept] = keptKeys(place)
  expect(readFileSync(join(place.folder, kept!), 'utf8').trim()).toBe(before)
  expect(await openedBy(place, keyOf(place))).toEqual({ opened: everyColumn, shut: [] })
  expect((await openedBy(place, before)).opened).toEqual([])
  expect(await place.read('select id from sessions')).toEqual([])
  const entries = await place.read("select actor_name, target_kind from audit_log where action = 'secret_key.rotate'")
  expect(entries).toEqual([{ actor_name: 'system', target_kind: 'secret_key' }])
  await works(place, key)
})

test('a rotation takes the key of NEW_SECRET_KEY, and refuses the present one', async () => {
  const { place, key } = await furnished()
  expect((await rotate(place, { NEW_SECRET_KEY: OTHER_KEY })).code).toBe(0)
  expect(keyOf(place)).toBe(OTHER_KEY)
  const again = { ...place, env: { ...place.env, NEW_SECRET_KEY: OTHER_KEY } }
  expect(await startupErrorOf(['rotate-key'], again)).toBe('tollgate: NEW_SECRET_KEY is the present key')
  expect(await startupErrorOf(['rotate-key', 'now'], place)).toStartWith('tollgate: usage: tollgate rotate-key')
  expect(existsSync(`${keyFile(place)}.new`)).toBe(false)
  await works(place, key)
})

test('a rotation with SECRET_KEY needs the new key, and a second run finds the work done', async () => {
  const SECRET_KEY = 'the key of the environment'
  const { place, key } = await furnish({ SECRET_KEY })
  expect(await startupErrorOf(['rotate-key'], place)).toBe(
    'tollgate: SECRET_KEY is set: set NEW_SECRET_KEY to the new key as well',
  )
  expect((await rotate(place, { NEW_SECRET_KEY: OTHER_KEY })).out).toContain('set SECRET_KEY to the new key')
  expect(existsSync(keyFile(place))).toBe(false)
  expect((await rotate(place, { NEW_SECRET_KEY: OTHER_KEY })).out).toBe(
    'the database is sealed under NEW_SECRET_KEY already; set SECRET_KEY to it\n',
  )
  expect(await startupErrorOf(['serve'], place)).toContain('encrypted with another secret key')
  place.env.SECRET_KEY = OTHER_KEY
  expect(await openedBy(place, OTHER_KEY)).toEqual({ opened: everyColumn, shut: [] })
  await works(place, key)
})

test('a wrong or missing key is refused, and nothing is changed', async () => {
  const { place } = await furnished()
  const right = keyOf(place)
  const before = await sealedTexts(place)
  writeFileSync(keyFile(place), 'a key of another place\n')
  const refusal =
    'this database was encrypted with another secret key; set SECRET_KEY (all nodes need the same), or restore secret.key'
  expect(await startupErrorOf(['rotate-key'], place)).toBe(`tollgate: ${refusal}`)
  rmSync(keyFile(place))
  expect(await startupErrorOf(['rotate-key'], place)).toBe(`tollgate: there is no secret.key in ${place.folder}`)
  writeFileSync(keyFile(place), right)
  expect(await sealedTexts(place)).toEqual(before)
  expect(readdirSync(place.folder).filter(name => name.startsWith('secret.key'))).toEqual(['secret.key'])
})

test('texts that the present key does not open stay as they are, and are counted', async () => {
  const { place } = await furnished()
  const foreign = sealerUnder(OTHER_KEY).seal('lost before')
  await place.change(`update tokens set key_sealed = '${foreign}' where name = 'more 1'`)
  expect((await rotate(place)).out).toContain('1 that the present key does not open stay as they were')
  expect(await place.read("select key_sealed from tokens where name = 'more 1'")).toEqual([{ key_sealed: foreign }])
})

test('a rotation is refused while a server runs', async () => {
  const { place } = await furnished()
  const before = keyOf(place)
  const server = await startAt(place)
  expect(await startupErrorOf(['rotate-key'], place)).toBe(
    dialect === 'sqlite'
      ? `tollgate: another Tollgate is already running on the data folder ${place.folder}`
      : 'tollgate: a Tollgate is running on this database; stop it first (one that crashed counts for a minute)',
  )
  await server.stop()
  expect([keyOf(place), existsSync(`${keyFile(place)}.new`)]).toEqual([before, false])
  expect((await rotate(place)).code).toBe(0)
})

test('killed before its commit, a rotation has changed nothing, and runs again', async () => {
  const { place, key } = await furnished()
  const before = keyOf(place)
  const texts = await sealedTexts(place)
  const release = await holdTokens(place)
  const child = Bun.spawn([...program, 'rotate-key'], {
    env: { PATH: process.env.PATH, DATA_DIR: place.folder, ...place.env },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  while (!existsSync(`${keyFile(place)}.new`)) await Bun.sleep(5)
  child.kill('SIGKILL')
  await child.exited
  await release()
  expect([keyOf(place), await sealedTexts(place)]).toEqual([before, texts])
  await works(place, key)
  expect((await rotate(place)).code).toBe(0)
  expect(existsSync(`${keyFile(place)}.new`)).toBe(false)
  expect(await openedBy(place, keyOf(place))).toEqual({ opened: everyColumn, shut: [] })
})

const open: { close(): unknown }[] = []
afterAll(() => Promise.all(open.map(connection => connection.close())))

/** Lets no other connection change the tokens. @returns what ends that */
async function holdTokens(place: Installation) {
  if (dialect === 'sqlite') {
    const database = new Database(join(place.folder, 'tollgate.db'))
    open.push(database)
    database.run('BEGIN IMMEDIATE')
    return async () => database.run('ROLLBACK')
  }
  const connection = new SQL(place.env.DATABASE_URL!, { max: 1 })
  open.push(connection)
  await connection.unsafe('begin; lock table tokens in exclusive mode')
  return () => connection.unsafe('rollback')
}

test.each(['the next start', 'the next run'])('killed after its commit, a rotation is completed by %s', async by => {
  const { place, key } = await furnished()
  expect((await rotate(place)).code).toBe(0)
  // As the folder was before the last step: the new key staged, the old one in its place.
  const [kept] = keptKeys(place)
  renameSync(keyFile(place), `${keyFile(place)}.new`)
  renameSync(join(place.folder, kept!), keyFile(place))
  const next = readFileSync(`${keyFile(place)}.new`, 'utf8').trim()
  if (by === 'the next run') expect((await rotate(place)).out).toStartWith('an earlier rotation is now complete')
  await works(place, key)
  expect([keyOf(place), existsSync(`${keyFile(place)}.new`), keptKeys(place).length]).toEqual([next, false, 1])
  expect(await openedBy(place, next)).toEqual({ opened: everyColumn, shut: [] })
})
