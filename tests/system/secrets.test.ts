/** A process that logs everything, from its set-up to a kill: no secret is in its output, its files or its database. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { dialect } from '../../src/db/dialect.ts'
import { catalog, optionKeys } from '../../src/domain/options/catalog.ts'
import { type Installation, newInstallation, setUpAt, signInAt, startAt } from '../support/app/installation.ts'
import { run, type Server } from '../support/app/server.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { answers } from '../support/upstream/endpoint-scripts.ts'
import { errorBody, fakeUpstream } from '../support/upstream/openai.ts'

const CANARY = 'canary'
const MODEL = 'gpt-4o-mini'
const BROKEN = 'gpt-4o'
const PASSWORD_OF_ROOT = 'opensesame'
const channelKey = `${CANARY}-of-the-channel-0123456789`
const secretOptions = optionKeys.filter(key => catalog[key].secret)

const upstream = await fakeUpstream()
upstream.keys.add(channelKey)
upstream.scripts(MODEL, chat())
upstream.scripts(BROKEN, answers(400, errorBody(`Bad key ${channelKey}`, 'invalid_request_error')))
afterAll(() => upstream.stop())

let place: Installation
let server: Server
/** Secrets that the process has made. */
const issued: Record<string, string> = {}

type Headers = Record<string, string>

async function send(method: string, path: string, body?: unknown, headers: Headers = {}) {
  const init = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
  const response = await fetch(server.url + path, { method, headers, redirect: 'manual', ...init })
  const text = await response.text()
  const { success, data } = (text.startsWith('{') ? JSON.parse(text) : {}) as { success?: boolean; data?: any }
  return { status: response.status, success, data }
}

/** A request that has to succeed. */
async function write(method: string, path: string, body: unknown, headers: Headers) {
  const { success, data } = await send(method, path, body, headers)
  expect([method, path, success]).toEqual([method, path, true])
  return data
}

async function writeSettings(root: Headers) {
  for (const key of secretOptions)
    for (const turn of ['first', 'second'])
      await write('PUT', '/api/option/', { key, value: `${CANARY}-${turn}-${key.toLowerCase()}` }, root)
  for (const { id } of (await write('GET', '/api/option/history', undefined, root)).items)
    await send('POST', `/api/option/history/${id}/undo`, {}, root)
  const { options } = await write('GET', '/api/option/export', undefined, root)
  await write('POST', '/api/option/import', { options: { ...options, RetryTimes: 1 } }, root)
  await write('PUT', '/api/option/', { key: 'Chats', value: '[{"Site":"https://chat.example/#k={key}"}]' }, root)
  await write('PUT', '/api/option/', { key: 'LogErrorEnabled', value: true }, root)
}

async function writeChannels(root: Headers) {
  const channel = { name: 'c', type: 1, base_url: upstream.url, models: `${MODEL},${BROKEN}` }
  await write('POST', '/api/channel/', { ...channel, key: channelKey }, root)
  const proxied = { proxy: `socks5://user:${CANARY}-of-the-proxy@127.0.0.1:1` }
  const far = { ...channel, name: 'far', key: `${CANARY}-of-a-second-channel`, models: BROKEN, priority: 9 }
  await write('POST', '/api/channel/', { ...far, setting: JSON.stringify(proxied) }, root)
  await write('POST', '/api/channel/copy/1', {}, root)
  for (const path of ['test/1', 'test/2', 'fetch_models/1', 'update_balance/1'])
    await send('GET', `/api/channel/${path}`, undefined, root)
}

async function writeAccounts(root: Headers) {
  const hook = { webhook_url: 'https://example.com/hook', webhook_secret: `${CANARY}-of-a-webhook` }
  await write('PUT', '/api/user/setting', { notify_type: 'webhook', ...hook }, root)
  await write('POST', '/api/user/', { username: 'ann', password: `${CANARY}-of-ann` }, root)
  issued.app = (await write('POST', '/api/user/authenticator', {}, root)).secret
  issued.access = await write('GET', '/api/user/token', undefined, root)
  const [code] = await write(
    'POST',
    '/api/redemption/',
    { name: 'r', quota: 5 },
    { ...root, 'idempotency-key': 'once' },
  )
  issued.code = code
  issued.key = (await write('POST', '/api/token/', { name: 'one', unlimited_quota: true }, root)).key
  const ann = { username: 'ann', password: `${CANARY}-of-ann` }
  expect((await signInAt(server, ann)).success).toBe(true)
  expect((await signInAt(server, { ...ann, password: `${CANARY}-wrong` })).success).toBe(false)
  await send('POST', '/api/user/login', `{"username":"ann","password":"${CANARY}-of-broken-json`)
  await send('GET', `/oauth/github?code=${CANARY}-code&state=${CANARY}-state`)
  await send('GET', `/user/reset?token=${CANARY}-of-a-link`)
}

async function call(root: Headers) {
  const body = { messages: [{ role: 'user', content: `${CANARY}-prompt` }] }
  for (const model of [MODEL, BROKEN])
    for (const [name, value] of [
      ['authorization', `Bearer sk-${issued.key}`],
      ['x-api-key', `sk-${issued.key}`],
    ] as const)
      await send('POST', '/v1/chat/completions', { model, ...body }, { [name]: value })
  await send('POST', '/pg/chat/completions', { model: MODEL, ...body }, root)
  const contents = [{ role: 'user', parts: [{ text: `${CANARY}-prompt` }] }]
  await send('POST', `/v1beta/models/${MODEL}:generateContent?key=sk-${issued.key}`, { contents })
  await send('POST', `/v1beta/models/none:generateContent?key=sk-${issued.key}-${CANARY}`, { contents })
  await send('POST', '/v1/chat/completions', `{"model":"${MODEL}","messages":"${CANARY}-prompt`, {
    authorization: `Bearer sk-${issued.key}`,
  })
}

beforeAll(async () => {
  place = await newInstallation()
  server = await startAt(place, { env: { ...place.env, LOG_LEVEL: 'debug' } })
  await setUpAt(server)
  const { headers: root } = await signInAt(server)
  issued.cookie = root.cookie!.split('=')[1]!
  await writeSettings(root)
  await writeChannels(root)
  await writeAccounts(root)
  await call(root)
  expect(upstream.journal.map(({ key }) => key).filter(key => key !== channelKey)).toEqual([])
  expect(upstream.journal.length).toBeGreaterThan(5)
})

/** Names of the secrets that a text has. */
const secretsIn = (text: string) => {
  const own = {
    ...issued,
    root: PASSWORD_OF_ROOT,
    key_file: readFileSync(join(place.folder, 'secret.key'), 'utf8').trim(),
  }
  return [
    ...Object.entries(own).flatMap(([name, secret]) => (text.includes(secret) ? [name] : [])),
    ...[...text.matchAll(/canary[\w-]*/gi)].map(([found]) => found),
  ]
}

test('the output of a process that logs everything has no key, password, token, cookie and prompt', () => {
  expect(server.output()).toContain('attempt failed')
  expect(secretsIn(server.output())).toEqual([])
})

test('no route for metrics or debugging answers without a session', async () => {
  for (const path of ['/metrics', '/debug', '/debug/pprof', '/debug/vars', '/.env', '/api/debug', '/api/metrics'])
    expect([path, (await send('GET', path)).status]).toEqual([path, 404])
})

test('the database, its log and its backup have no secret in plain text', async () => {
  const copy = join(place.folder, 'copy.backup')
  if (dialect === 'sqlite') expect((await run(['backup', copy], place)).code).toBe(0)
  await server.stop('SIGKILL')
  const files = readdirSync(place.folder).filter(name => name !== 'secret.key')
  const paths = files.map(name => join(place.folder, name)).filter(path => statSync(path).isFile())
  if (dialect === 'sqlite')
    expect(files).toEqual(expect.arrayContaining(['tollgate.db', 'tollgate.db-wal', 'copy.backup']))
  const texts = paths.map(path => readFileSync(path, 'latin1'))
  if (dialect === 'postgres') texts.push(await everyRow())
  expect(texts.join().includes('https://chat.example/#k={key}')).toBe(true)
  expect(texts.flatMap(secretsIn)).toEqual([])
  expect(paths.filter(path => statSync(path).mode & 0o077)).toEqual([])
})

async function everyRow(): Promise<string> {
  const tables = "select table_name as name from information_schema.tables where table_schema = 'public'"
  const rows: unknown[] = []
  for (const { name } of (await place.read(tables)) as { name: string }[])
    rows.push(name, await place.read(`select * from "${name}"`))
  return JSON.stringify(rows)
}
