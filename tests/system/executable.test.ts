// @engine sqlite
/** The executable that the run has built, under another name in an empty folder. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, existsSync, mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256Of } from '../../src/build-inventory.ts'
import { residentMb } from '../support/app/resident-memory.ts'
import { newFolder, type Server, startServer } from '../support/app/server.ts'
import { licenceIds, violationsOf } from '../support/source/cyclonedx.ts'
import { until } from '../support/until.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { modelOf, recordedProviders } from '../support/upstream/fixtures.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'
import { withUpstream } from '../support/upstream/strict-provider.ts'

const MEGABYTE = 1_000_000

/** `tests/run.ts` names it, and what the build has printed. */
const { TOLLGATE_PROGRAM: built = '', BUILD_OUTPUT: printed } = process.env
const program = join(mkdtempSync(join(tmpdir(), 'tollgate-')), 'other-name')
let server: Server

beforeAll(async () => {
  copyFileSync(built, program)
  server = await startServer({ folder: newFolder(), command: [program] })
})

afterAll(() => server?.stop())

test('the executable uses at most 85 MB before the first request', async () => {
  // What the start needed is given back in its own time.
  const resident = await until(() => {
    const mb = residentMb(server.process.pid)
    return mb <= 85 && mb
  })
  expect(resident).toBeGreaterThan(1)
})

test('the executable has at most 125 MB', () => expect(statSync(program).size).toBeLessThanOrEqual(125 * MEGABYTE))

test('the build prints the SHA-256 of the executable', async () => {
  expect(printed).toContain(`SHA-256 ${await sha256Of(program)}\n`)
})

test('the inventory of the executable conforms to CycloneDX 1.6 and names what is in it, and nothing else', async () => {
  const inventory = await Bun.file(`${built}.cdx.json`).json()
  expect(await violationsOf(inventory)).toEqual([])
  expect(inventory.metadata.component.hashes).toEqual([{ alg: 'SHA-256', content: await sha256Of(program) }])
  const components = inventory.components as Record<string, any>[]
  const names = components.map(({ group, name }) => (group ? `${group}/${name}` : name))
  // On the server, in a bundle of its own, by require, in the browser, as a style.
  expect(names).toEqual(expect.arrayContaining(['bun', 'elysia', 'nodemailer', 're2js', 'katex', 'tailwindcss']))
  const { devDependencies, dependencies } = await Bun.file('package.json').json()
  // A tool of the build, which `npm start` needs too.
  expect(Object.keys(dependencies).filter(name => !names.includes(name))).toEqual(['@tailwindcss/cli'])
  // Both are compiled into the style sheet.
  const tools = Object.keys(devDependencies).filter(name => !['tailwindcss', 'daisyui'].includes(name))
  expect(names.filter(name => [...tools, 'postcss', 'typescript'].includes(name))).toEqual([])

  const ids = await licenceIds()
  expect(components.filter(({ licenses }) => !ids.has(licenses[0].expression))).toEqual([])
  const elysia = components.find(({ name }) => name === 'elysia')!
  expect(elysia.purl).toBe(`pkg:npm/elysia@${dependencies.elysia}`)
  const locked = /"elysia@[^\n]*"sha512-([^"]+)"/.exec(await Bun.file('bun.lock').text())![1]!
  expect(elysia.hashes).toEqual([{ alg: 'SHA-512', content: Buffer.from(locked, 'base64').toString('hex') }])
})

test('the executable runs no code that a bunfig.toml of its folder names', async () => {
  const folder = newFolder()
  await Bun.write(join(folder, 'bunfig.toml'), 'preload = ["./preload.js"]')
  await Bun.write(join(folder, 'preload.js'), `require('node:fs').writeFileSync('mark', '')`)
  const child = Bun.spawn([program, 'migrate'], { cwd: folder, env: { DATA_DIR: folder }, stderr: 'ignore' })
  expect([await child.exited, existsSync(join(folder, 'mark'))]).toEqual([0, false])
})

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
    upstream.scripts(model, chat({ text: 'お誕生日おめでとう', usage: null }))
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
    upstream.expects(fields, rules.states ?? answers, {}, beside)
    const response = await fetch(`${server.url}/api/channel/test/${id}`, { headers: { cookie, 'tollgate-user': user } })
    expect([name, upstream.violations(), await response.json()]).toMatchObject([name, [], { success: true }])
  }
})
