// @engine sqlite
/** From a fresh clone to the first call: one command, then the API, then an unmodified OpenAI client. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import OpenAI from 'openai'
import { newFolder, run, type Server, startServer } from '../support/app/server.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream, type Upstream } from '../support/upstream/openai.ts'

/** The registry takes its time: no limit here but that of the whole file. */
const NO_LIMIT_MS = 86_400_000
const PACKAGES_MB_MAX = 250
const model = 'gpt-4o-mini'
/** Of the built-in price table, and of the `default` group. */
const price = { model_ratio: 0.075, completion_ratio: 4, group_ratio: 1 }
const usage = { prompt_tokens: 1234, completion_tokens: 567 }
const text = 'The gate is open.'

let copy: string
let data: string
let server: Server
let upstream: Upstream
let key: string
const session = { cookie: '', id: 0 }

type Envelope = { success: boolean; message: string; data: any }

async function call(method: string, path: string, body?: unknown): Promise<Envelope> {
  const response = await fetch(server.url + path, {
    method,
    headers: { cookie: session.cookie, 'tollgate-user': String(session.id) },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const set = response.headers.get('set-cookie')
  if (set) session.cookie = set.split(';')[0]!
  const envelope = (await response.json()) as Envelope
  expect(envelope).toMatchObject({ success: true })
  return envelope
}

const balance = async (): Promise<number> => (await call('GET', '/api/user/self')).data.quota
const newestLog = async () => (await call('GET', '/api/log/?p=1&page_size=1')).data.items[0]

const client = () => new OpenAI({ apiKey: `sk-${key}`, baseURL: `${server.url}/v1`, maxRetries: 0 })

/** What a start does not read, and most of the files. */
const LEFT_OUT = [':!tests', ':!docs']

/** A clone as a newcomer has it, without node_modules, build and data; a Bun that was fetched before is copied. */
async function freshCopy(): Promise<string> {
  const folder = newFolder()
  const listing = ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '--', '.', ...LEFT_OUT]
  const listed = await run(listing, { command: ['git'] })
  for (const file of listed.out.split('\0').filter(Boolean)) {
    if (!(await Bun.file(file).exists())) continue
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(file, join(folder, file))
  }
  const fetched = join('.cache', `bun-${Bun.version}`)
  if (existsSync(fetched)) cpSync(fetched, join(folder, fetched), { recursive: true, dereference: true })
  return folder
}

/** Fetches what is missing from the registry, as the first step of `npm start` does. */
const install = (folder: string) =>
  run(['src/build-client.ts'], { command: ['node', join(folder, 'src', 'launch.mjs')] })

beforeAll(async () => {
  copy = await freshCopy()
  expect(await install(copy)).toMatchObject({ code: 0, out: '' })
  data = newFolder()
  upstream = await fakeUpstream()
  upstream.scripts(model, chat({ text, usage }))
  server = await startServer({
    folder: data,
    command: ['npm', '--prefix', copy, 'start', '--silent', '--'],
  })
}, NO_LIMIT_MS)

afterAll(async () => {
  await server?.stop()
  upstream?.stop()
})

test('npm start installs at most 250 MB of packages, none of them for tests', async () => {
  const packages = join(copy, 'node_modules')
  const { out } = await run(['-sm', packages], { command: ['du'] })
  expect(Number.parseInt(out, 10)).toBeWithin(100, PACKAGES_MB_MAX + 1)
  const { devDependencies } = await Bun.file('package.json').json()
  const types = /^@types\/|^bun-types$|^typescript$/ // Some are peers of the server's packages.
  const present = Object.keys(devDependencies).filter(name => existsSync(join(packages, name)))
  expect(present.filter(name => !types.test(name))).toEqual([])
})

test('a fresh installation is set up, gets a channel and a token through the API', async () => {
  const password = 'opensesame'
  await call('POST', '/api/setup', { username: 'root', password, confirmPassword: password })
  session.id = (await call('POST', '/api/user/login', { username: 'root', password })).data.id
  await call('POST', '/api/channel/', {
    name: 'mock',
    type: 1,
    key: 'sk-upstream',
    base_url: upstream.url,
    models: model,
    group: 'default',
  })
  await call('POST', '/api/token/', { name: 'first', unlimited_quota: true })
  key = (await call('GET', '/api/token/?p=0&size=10')).data[0].key
  expect(key).toMatch(/^[0-9A-Za-z]{48}$/)
  expect((await client().models.list()).data.map(entry => entry.id)).toEqual([model])
})

const messages = [{ role: 'user' as const, content: 'Is the gate open?' }]
const cost = Math.round(
  (usage.prompt_tokens + usage.completion_tokens * price.completion_ratio) * price.model_ratio * price.group_ratio,
)

/** Runs one call and checks that the log and the balance say exactly what it cost. */
async function metered(stream: boolean, ask: () => Promise<void>) {
  const before = await balance()
  await ask()
  expect(before - (await balance())).toBe(cost)
  expect(await newestLog()).toMatchObject({
    ...usage,
    type: 2,
    quota: cost,
    model_name: model,
    is_stream: stream,
    token_name: 'first',
  })
}

test('the OpenAI client gets a response that is billed to the unit', () =>
  metered(false, async () => {
    const answer = await client().chat.completions.create({ model, messages })
    expect(answer.choices[0]).toMatchObject({ finish_reason: 'stop', message: { role: 'assistant', content: text } })
    expect(answer.usage).toMatchObject(usage)
  }))

test.each([true, false])('the OpenAI client streams with include_usage %p, billed to the unit', include_usage =>
  metered(true, async () => {
    const stream = await client().chat.completions.create({
      model,
      messages,
      stream: true,
      stream_options: { include_usage },
    })
    const chunks = await Array.fromAsync(stream)
    expect(chunks.map(chunk => chunk.choices[0]?.delta.content ?? '').join('')).toBe(text)
    expect(chunks.flatMap(chunk => chunk.choices.map(choice => choice.finish_reason)).filter(Boolean)).toEqual(['stop'])
    const reported = chunks.filter(chunk => chunk.usage).map(chunk => chunk.usage)
    expect(reported).toEqual(include_usage ? [expect.objectContaining(usage)] : [])
  }),
)

test('a stream without stream_options is billed to the unit', () =>
  metered(true, async () => {
    const stream = await client().chat.completions.create({ model, messages, stream: true })
    expect((await Array.fromAsync(stream)).some(chunk => chunk.usage)).toBe(false)
  }))

test('the upstream received only well-formed requests with the channel’s key', () => {
  expect(upstream.violations).toEqual([])
  expect(new Set(upstream.journal.map(entry => entry.key))).toEqual(new Set(['sk-upstream']))
})

/** npm leaves at the signal; the server that it started ends in its own time. */
const answers = () =>
  fetch(`${server.url}/healthz`).then(
    () => true,
    () => false,
  )

test('tollgate audit is clean while the server runs and after it', async () => {
  const audit = () => run(['audit', '--bills'], { folder: data })
  expect(await audit()).toMatchObject({ code: 0 })
  await server.stop()
  while (await answers()) await Bun.sleep(20)
  expect(await audit()).toMatchObject({ code: 0 })
})
