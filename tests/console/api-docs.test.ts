/** The page of the API documentation: operations, search, the reader's key, the way to it. */
import { beforeAll, expect, test } from 'bun:test'
import { setOption } from '../support/app/options.ts'
import { withKey } from '../support/people/chats.ts'
import { anyone, type Person, setUp } from '../support/people/person.ts'

const text = async (person: Person, path: string) => (await person.page(path)).text()
const hasAll = (html: string, ...pieces: string[]) => pieces.filter(piece => !html.includes(piece))

beforeAll(async () => {
  await setUp()
})

test('API page shows base URLs, the clients and every noun to visitors', async () => {
  const html = await text(anyone, '/docs/api')
  expect(hasAll(html, 'http://localhost/v1', '/openapi.json', 'Claude Code', 'Codex CLI', 'Cursor', 'Cline')).toEqual(
    [],
  )
  expect(hasAll(html, 'Continue', 'Cherry Studio', 'LobeChat', 'Open WebUI', 'Chatbox', 'NextChat')).toEqual([])
  expect(hasAll(html, '?noun=models', '?noun=channels', 'sk-YOUR-KEY', '/login?returnTo=%2Fdocs%2Fapi')).toEqual([])
  await setOption('ServerAddress', 'https://gate.example')
  const named = await text(anyone, '/docs/api?client=claude-code')
  await setOption('ServerAddress', '')
  expect(hasAll(named, 'ANTHROPIC_BASE_URL=&quot;https://gate.example&quot;')).toEqual([])
})

test('API page lists the operations of a noun and opens one with fields, rights and an example', async () => {
  const list = await text(anyone, '/docs/api?noun=keys')
  expect(hasAll(list, 'Creates API keys.', 'Deletes an API key.')).toEqual([])
  expect(list.includes('rate_limit_period')).toBe(false)
  const open = await text(anyone, '/docs/api?noun=keys&open=post_api_token')
  expect(
    hasAll(open, 'rate_limit_period', 'default 60', 'signed in', 'Tollgate-User: $USER_ID', 'Sign in to try'),
  ).toEqual([])
  expect(hasAll(await text(anyone, '/docs/api?noun=nothing'), 'No operation has all of these words')).toEqual([])
})

test('API page says what an operation does in the language of the reader, and finds it by these words', async () => {
  const html = async (query: string) => (await anyone.page(`/docs/api?${query}`, { language: 'zh' })).text()
  expect(hasAll(await html('noun=keys'), '创建 API 密钥。', '删除 API 密钥。')).toEqual([])
  expect((await html('noun=keys')).includes('Creates API keys.')).toBe(false)
  expect(hasAll(await html('keyword=兑换码+禁用'), '/api/redemption/batch-disable')).toEqual([])
})

test('API page finds operations by path, words and fields', async () => {
  const found = await text(anyone, '/docs/api?keyword=LOG+self+entries')
  expect(hasAll(found, '/api/log/self')).toEqual([])
  expect(found.includes('/api/token/')).toBe(false)
  expect(hasAll(await text(anyone, '/docs/api?keyword=rate_limit_period'), 'Creates API keys.')).toEqual([])
  expect(hasAll(await text(anyone, '/docs/api?keyword=%3Cb%3E'), 'No operation has all of these words')).toEqual([])
})

test('API page puts a key into its examples only after a click, and never another user’s', async () => {
  const { person, id, key } = await withKey()
  const before = await text(person, '/docs/api?client=python')
  expect([before.includes(key.slice(3)), before.includes('>laptop</option>')]).toEqual([false, true])
  const open = await text(person, '/docs/api?noun=models&open=post_v1_chat_completions')
  expect([open.includes(key.slice(3)), hasAll(open, 'This call is billed to your balance.')]).toEqual([false, []])

  const returnTo = '/docs/api?client=python'
  const filled = await person.form('/docs/api/key', { key: String(id), returnTo })
  const html = await filled.text()
  expect([filled.status, html.includes(`api_key=&quot;${key}&quot;`)]).toEqual([200, true])
  expect(filled.headers.get('cache-control')).toBe('no-store')

  const other = await withKey()
  const refused = await other.person.form('/docs/api/key', { key: String(id), returnTo })
  expect([refused.status, (await refused.text()).includes(key.slice(3))]).toEqual([404, false])
  expect((await other.person.form('/docs/api/key', { key: 'x' })).status).toBe(400)
})

test('API page is behind the docs entry until the operator links another one', async () => {
  expect((await text(anyone, '/')).includes('href="/docs/api"')).toBe(true)
  await setOption('general_setting.docs_link', 'https://docs.example')
  const html = await text(anyone, '/')
  await setOption('general_setting.docs_link', '')
  expect([html.includes('href="/docs/api"'), html.includes('href="https://docs.example"')]).toEqual([false, true])
})
