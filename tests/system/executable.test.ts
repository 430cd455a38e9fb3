// @engine sqlite
/** The executable in an empty folder. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { residentMb } from '../support/app/resident-memory.ts'
import { newFolder, run, type Server, startServer } from '../support/app/server.ts'
import { until } from '../support/until.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { modelOf, recordedProviders } from '../support/upstream/fixtures.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'
import { withUpstream } from '../support/upstream/strict-provider.ts'

const MEGABYTE = 1_000_000
const BUILD_MS = 180_000

const program = join(mkdtempSync(join(tmpdir(), 'tollgate-')), 'tollgate')
let server: Server

beforeAll(async () => {
  const built = await run([program], { command: [process.execPath, 'src/build.ts'] })
  expect(built).toMatchObject({ code: 0 })
  server = await startServer({ folder: newFolder(), command: [program] })
}, BUILD_MS)

afterAll(() => server?.stop())

test('the executable uses at most 80 MB before the first request', async () => {
  const resident = () => residentMb(server.process.pid)
  // What the start needed is given back in its own time.
  while (resident() > 80) await Bun.sleep(100)
  expect(resident()).toBeGreaterThan(1)
})

test('the executable has at most 130 MB', () => expect(statSync(program).size).toBeLessThanOrEqual(130 * MEGABYTE))

test('the executable contains the pages and their assets', async () => {
  const page = await (await fetch(`${server.url}/setup`, { headers: { 'accept-language': 'en' } })).text()
  expect(page).toContain('<html lang="en"')
  const paths = [...page.matchAll(/(?:src|href)="(\/build\/[^"]+)"/g)].map(found => found[1]!)
  expect(paths.map(path => path.split('.').at(-1)).sort()).toEqual(['css', 'js'])
  for (const path of paths) {
    const file = await fetch(server.url + path)
    expect([file.status, (await file.text()).length > 1000]).toEqual([200, true])
  }
})

test('the executable contains the migrations', () => {
  expect(server.output()).toContain('database migrated')
  expect(existsSync(join(server.folder, 'tollgate.db'))).toBe(true)
})

let cookie = ''
let user = ''

async function call(method: string, path: string, body?: object) {
  const headers = { cookie, 'tollgate-user': user }
  const response = await fetch(server.url + path, { method, headers, body: body && JSON.stringify(body) })
  cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
  return ((await response.json()) as any).data
}

test('the executable contains the tables of the tokenizer', async () => {
  const upstream = await fakeUpstream()
  const account = { username: 'root', password: 'opensesame' }
  await call('POST', '/api/setup', { ...account, confirmPassword: account.password })
  user = String((await call('POST', '/api/user/login', account)).id)
  const channel = { name: 'mock', type: 1, key: 'sk-upstream', base_url: upstream.url, group: 'default' }
  await call('POST', '/api/channel/', { ...channel, models: 'gpt-4,gpt-4o' })
  const { key } = await call('POST', '/api/token/', { name: 'first', unlimited_quota: true })
  const headers = { authorization: `Bearer sk-${key}` }

  // The estimate, which is billed until the tables are loaded, is 8 and 9 tokens.
  for (const [model, tokens] of [
    ['gpt-4', 9],
    ['gpt-4o', 8],
  ] as const) {
    upstream.says(model, chat({ text: 'お誕生日おめでとう', usage: null }))
    const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Say hello' }] })
    await until(async () => {
      await (await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', headers, body })).text()
      const { items } = await call('GET', '/api/log/?p=1&page_size=1')
      return items[0].prompt_tokens === 9 && items[0].completion_tokens === tokens
    })
  }
  upstream.stop()
})

test('the executable draws pages with islands, and the page of an error', async () => {
  for (const path of ['/admin/channels?new=', '/app/tokens?new=', '/playground']) {
    const response = await fetch(server.url + path, { headers: { cookie } })
    expect([path, response.status, (await response.text()).includes('<tollgate-island')]).toEqual([path, 200, true])
  }
  const missing = await fetch(`${server.url}/nowhere`)
  expect([missing.status, (await missing.text()).includes('<main')]).toEqual([404, true])
})

test('a channel of every type passes its test from the executable', async () => {
  await call('PUT', '/api/option/', { key: 'ServerAddress', value: 'https://gate.example' })
  for (const { name, server: rules, upstream, fixtures } of await recordedProviders()) {
    const { asks, channel, answers, beside } = Object.fromEntries(fixtures)[rules.probe ?? 'chat']!
    const fields = withUpstream({ ...rules.channel, ...channel }, upstream.url)
    const base_url = upstream.url + (rules.base ?? '')
    const made = { name, base_url, models: modelOf(asks), group: 'default', ...fields }
    const { id } = await call('POST', '/api/channel/', made)
    upstream.expects(fields, answers, {}, beside)
    const response = await fetch(`${server.url}/api/channel/test/${id}`, { headers: { cookie, 'tollgate-user': user } })
    expect([name, upstream.complaints(), await response.json()]).toMatchObject([name, [], { success: true }])
  }
})
