// @engine sqlite
/** Routes of a custom channel: what is refused when it is saved, where calls go, and who receives stored keys. */
import { afterAll, expect, spyOn, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { servesModel } from '../../src/contracts/custom-endpoints.ts'
import { LogType } from '../../src/contracts/log.ts'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { client } from '../support/people/client.ts'
import { setUp, visitor } from '../support/people/person.ts'
import { makeChannel } from '../support/upstream/channel.ts'
import { listen } from '../support/upstream/http-server.ts'
import { requestFor } from '../support/upstream/request.ts'

const root = await setUp()
const sound = { operation: 'chat', url: 'https://a.example/v1/{model}', key_in: 'bearer' }
const settingOf = (...routes: unknown[]) => JSON.stringify({ routes })
const create = (setting: string) =>
  root.post('/api/channel/', { name: 'own', type: 58, key: 'sk-1', models: 'm', setting })

const refused: [setting: string, code: string, row: number][] = [
  ['', 'routes_required', 0],
  [settingOf(), 'routes_required', 0],
  ['{"routes":{}}', 'routes_required', 0],
  [settingOf(...Array(101).fill(sound)), 'routes_too_many', 0],
  [settingOf(sound, 7), 'route_operation', 2],
  [settingOf({ ...sound, operation: 'realtime' }), 'route_operation', 1],
  [settingOf({ ...sound, url: '/v1/chat' }), 'route_url', 1],
  [settingOf({ ...sound, url: 'ftp://a.example' }), 'route_url', 1],
  [settingOf({ ...sound, url: 'https://ann:secret@a.example/' }), 'route_url', 1],
  [settingOf({ ...sound, url: 'https://a.example/#x' }), 'route_url', 1],
  [settingOf({ ...sound, url: 'https://{model}.example/' }), 'route_url_model', 1],
  [settingOf({ ...sound, url: 'https://a.example{model}' }), 'route_url_model', 1],
  [settingOf({ ...sound, url: 'https://a.example/{key}' }), 'route_url_model', 1],
  [settingOf({ ...sound, format: 'soap' }), 'route_format', 1],
  [settingOf({ ...sound, operation: 'speech', format: 'gemini' }), 'route_format', 1],
  [settingOf({ ...sound, key_in: 'cookie' }), 'route_key_in', 1],
  [settingOf({ ...sound, key_in: 'header' }), 'route_key_name', 1],
  [settingOf({ ...sound, key_in: 'header', key_name: 'Host' }), 'route_key_name', 1],
  [settingOf({ ...sound, key_in: 'header', key_name: 'a: b' }), 'route_key_name', 1],
  [settingOf({ ...sound, key_in: 'query', key_name: 'a&b' }), 'route_key_name', 1],
  [settingOf({ ...sound, key_in: 'bearer', key_name: 'a' }), 'route_key_name', 1],
  [settingOf({ ...sound, models: 'gpt' }), 'route_models', 1],
  [settingOf({ ...sound, models: ['gpt', ''] }), 'route_models', 1],
]

test.each(refused)('the setting %s is refused with %s', async (setting, code, row) => {
  const answer = await create(setting)
  expect(answer).toMatchObject({ success: false, code: `channel.${code}`, field: 'setting' })
  if (row) expect(answer.message).toContain(`Route ${row}`)
})

test('a sound setting is saved, and a later one is checked as well', async () => {
  expect(await create(settingOf(...Array(100).fill(sound)))).toMatchObject({ success: true })
  const { data } = await create(settingOf(sound))
  const answer = await root.put('/api/channel/', { id: data.id, setting: settingOf({ ...sound, url: 'x' }) })
  expect(answer).toMatchObject({ success: false, code: 'channel.route_url' })
})

test('stored keys are entered again when a route leads to another host', async () => {
  const admin = await visitor(Role.admin)
  const { id } = await makeChannel(admin, { type: 58, setting: settingOf(sound) })
  const changed = (url: string) => admin.put('/api/channel/', { id, setting: settingOf({ ...sound, url }) })
  expect(await changed('https://a.example/v2/{model}')).toMatchObject({ success: true })
  expect(await changed('https://b.example/v1')).toMatchObject({ success: false, code: 'channel.key_again' })
  const added = settingOf(sound, { ...sound, url: 'https://b.example/v1', operation: 'rerank' })
  expect(await admin.put('/api/channel/', { id, setting: added })).toMatchObject({ code: 'channel.key_again' })
})

test('an administrator’s route to the own network is refused', async () => {
  const admin = await visitor(Role.admin)
  const setting = settingOf(sound, { ...sound, url: 'http://127.0.0.1:9/v1' })
  const answer = await admin.post('/api/channel/', { name: 'own', type: 58, key: 'sk-1', models: 'm', setting })
  expect(answer).toMatchObject({ success: false, code: 'channel.route_private' })
})

const KEY = 'Zq7/vR+2x~LmT9wK4'
const places = [
  ['bearer', undefined],
  ['header', 'x-own-key'],
  ['query', 'k'],
] as const

test.each(places)('a key with the place %p goes to no redirect and into no error or log', async (key_in, key_name) => {
  let redirected = 0
  const other = await listen((_, answer) => {
    redirected++
    return answer.json({})
  })
  const targets: string[] = []
  const upstream = await listen(async ({ target, headers }, answer) => {
    targets.push(target)
    if (target.startsWith('/moved'))
      return answer.json({}, 307, { location: `http://127.0.0.1:${other.port}${target}` })
    const message = `GET ${target} with ${JSON.stringify(headers)} failed at http://127.0.0.1${target}`
    return answer.json({ error: { message, type: target, code: target, param: target } }, 400)
  })
  afterAll(() => {
    other.stop()
    upstream.stop()
  })
  await setOption('LogErrorEnabled', true)
  await setOption('ModelRatio', '{"moved":1,"failing":1}')
  const url = `http://127.0.0.1:${upstream.port}/{model}`
  const setting = settingOf({ operation: 'chat', url, key_in, key_name })
  const { id } = await makeChannel(root, { type: 58, key: KEY, models: 'moved,failing', setting })
  const ann = await client()
  const printed = [spyOn(process.stdout, 'write'), spyOn(process.stderr, 'write'), spyOn(console, 'log')]
  const shown: string[] = []
  for (const model of ['moved', 'failing']) {
    const response = await ann.chat({ model })
    expect(response.status).toBeGreaterThanOrEqual(400)
    shown.push(await response.text(), JSON.stringify(await root.get(`/api/channel/test/${id}?model=${model}`)))
  }
  shown.push(JSON.stringify(await logsOf(ann.person, LogType.error)))
  shown.push(JSON.stringify(printed.flatMap(({ mock }) => mock.calls)))
  for (const spy of printed) spy.mockRestore()
  expect(targets).toContain(key_in === 'query' ? '/failing?k=Zq7%2FvR%2B2x%7ELmT9wK4' : '/failing')
  expect(redirected).toBe(0)
  for (const text of shown) expect(text).not.toMatch(/Zq7|LmT9wK4/)
  await root.delete(`/api/channel/${id}`)
})

test('a model in an address stays within its folder, and a key in the query is encoded', () => {
  const setting = {
    routes: [{ operation: 'embeddings', url: 'https://a.example/x/{model}/embed', key_in: 'query', key_name: 'k' }],
  }
  const call = { type: 58, base_url: '', key: 'a&b', setting }
  const urlFor = (model: string) => requestFor(call, 'embeddings', model, { model, input: 'a' })?.url
  expect(urlFor('a/b?c')).toBe('https://a.example/x/a/b%3Fc/embed?k=a%26b')
  expect(urlFor('../../admin')).toBe('https://a.example/x/admin/embed?k=a%26b')
  expect(urlFor('$&')).toBe('https://a.example/x/%24%26/embed?k=a%26b')
})

test('an operation or model without a route is not served', () => {
  const call = { type: 58, base_url: '', key: 'k', setting: { routes: [{ ...sound, models: ['gpt-*'] }] } }
  expect(requestFor(call, 'embeddings', 'gpt-4o', { model: 'gpt-4o' })).toBeUndefined()
  expect(requestFor(call, 'chat', 'claude', { model: 'claude' })).toBeUndefined()
  expect(requestFor(call, 'chat', 'gpt-4o', { model: 'gpt-4o', messages: [] })?.url).toBe('https://a.example/v1/gpt-4o')
  expect(requestFor({ ...call, setting: {} }, 'chat', 'm', { model: 'm' })).toBeUndefined()
})

const patterns: [pattern: string, model: string, fits: boolean][] = [
  ['gpt-4o', 'gpt-4o', true],
  ['gpt-4o', 'gpt-4o-mini', false],
  ['gpt-*', 'gpt-4o', true],
  ['*-mini', 'gpt-4o-mini', true],
  ['a*b*c', 'a1b2c', true],
  ['a*b*c', 'acb', false],
  ['ab*ba', 'aba', false],
  ['*', '', true],
]
test.each(patterns)('the pattern %p with the model %p gives %p', (pattern, model, fits) => {
  expect(servesModel({ models: [pattern] }, model)).toBe(fits)
})
