// @engine both
/** Every registered route of the console's API with invalid paths, queries and bodies. */
import { expect, test } from 'bun:test'
import { db } from '../../src/db/database.ts'
import { abilities, channels, disabledKeys } from '../../src/domain/channels/table.ts'
import { logs } from '../../src/domain/logs/table.ts'
import { messageRecipients, messages } from '../../src/domain/messages/table.ts'
import { options } from '../../src/domain/options/table.ts'
import { redemptions, redemptionUses } from '../../src/domain/redemption/table.ts'
import { setups } from '../../src/domain/setup/table.ts'
import { tokens } from '../../src/domain/tokens/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { ledger } from '../../src/domain/wallet/table.ts'
import { bodies } from '../support/app/bodies.ts'
import { consoleRoutes, isApi, isCallback } from '../support/app/routes.ts'
import { anyone, Person, setUp } from '../support/people/person.ts'
import { casesInTier } from '../support/tier.ts'

const routes = consoleRoutes.filter(isApi).filter(route => route.method === 'GET' || !isCallback(route))
const writing = routes.filter(({ method }) => method !== 'GET')

const bytes = (...parts: (string | number)[]) =>
  new Uint8Array(parts.flatMap(part => (typeof part === 'string' ? [...Buffer.from(part)] : [part])))

const notJson: [what: string, body: string | Uint8Array<ArrayBuffer>][] = [
  ['half a body', '{"name":"a"'],
  ['no JSON', 'name=a&key=b'],
  ['NaN', '{"remain_quota":NaN}'],
  ['a comma too many', '{"name":"a",}'],
  ['broken UTF-8', bytes('{"name":"', 0xc3, 0x28, '"}')],
  ['a surrogate in bytes', bytes('{"name":"', 0xed, 0xa0, 0x80, '"}')],
  ['a lone surrogate', '{"name":"\\ud800"}'],
  ['a lone surrogate as a name', '{"\\udfff":1}'],
  ['a zero byte', '{"name":"a\\u0000"}'],
  ['a deep one', '{"a":'.repeat(5000)],
  ['what follows the object', '{"name":"a"}{"name":"b"}'],
  ['UTF-16', new Uint8Array(Buffer.from('\ufeff{"name":"a"}', 'utf16le'))],
]

const noObjects = ['null', '[]', '"text"', '5', 'true', '[{"name":"a"}]']

const HUGE = [2 ** 53, -(2 ** 53), 1e300]

/** Fields that hold amounts of money: any number from 0 on. */
const amounts = ['single_price', 'input_ratio', 'completion_ratio']

/** Values that no field with this one in it can mean. */
function wrongFor(value: unknown, field = ''): unknown[] {
  if (amounts.includes(field)) return ['many', {}, [], true, -1]
  if (Array.isArray(value)) return [5, {}, true, ['many'], [{}], ...HUGE]
  if (typeof value === 'number') return ['many', {}, [], true, 0.5, ...HUGE]
  if (typeof value === 'boolean') return ['maybe', {}, [], 5, ...HUGE]
  return [5, {}, true, [5], [{}], ...HUGE]
}

let root = anyone

/** The whole database as text, without what a look alone changes. */
async function everything(): Promise<string> {
  const tables = [
    users,
    tokens,
    channels,
    abilities,
    disabledKeys,
    options,
    ledger,
    logs,
    setups,
    messages,
    messageRecipients,
    redemptions,
    redemptionUses,
  ]
  const rows = await Promise.all(tables.map(table => db.select().from(table)))
  return JSON.stringify(rows.map(all => all.map(row => JSON.stringify(row)).sort()))
}

const at = (path: string) => path.replaceAll(/:\w+/g, '1')

async function send({ method, path }: { method: string; path: string }, body: BodyInit) {
  const headers = { 'content-type': 'application/json' }
  const response = await root.fetch(at(path), { method, body, headers })
  return { status: response.status, answer: inEnvelope((await response.json()) as Record<string, unknown>) }
}

/** Refused orders and sums have their sentence in `data` too. */
const inEnvelope = ({ message, data, ...rest }: Record<string, unknown>): Record<string, unknown> => ({
  ...rest,
  message,
  data: data === message ? null : data,
})

/** Sends it, and sees that it is refused in the envelope, with a sentence. Answers the status. */
async function refused(route: (typeof routes)[number], what: string, body: BodyInit): Promise<number> {
  const { status, answer } = await send(route, body)
  expect([route.name, what, status >= 400 && status < 500, answer.success]).toEqual([route.name, what, true, false])
  expect([what, typeof answer.message, typeof answer.code, answer.data]).toEqual([what, 'string', 'string', null])
  expect(String(answer.message)).not.toContain('nternal')
  return status
}

const expectAlive = async () => expect((await anyone.get('/api/status')).status).toBe(200)

test('every writing route has a valid body in this test', () => {
  expect(writing.map(({ name }) => name).sort()).toEqual(Object.keys(bodies).sort())
})

test('setup refuses an invalid field and creates no root', async () => {
  const route = { method: 'POST', path: '/api/setup', name: 'POST /api/setup' }
  const good = bodies[route.name]!
  for (const [field, value] of Object.entries(good)) {
    for (const wrong of wrongFor(value)) {
      await refused(route, `${field}: ${JSON.stringify(wrong)}`, JSON.stringify({ ...good, [field]: wrong }))
    }
  }
  await refused(route, 'an unknown field', JSON.stringify({ ...good, surprise: 1 }))
  expect(await db.select().from(users)).toEqual([])
})

test('a body that is no JSON object is refused with 400 and stores nothing', async () => {
  root = await setUp()
  await root.post('/api/token/', { name: 'kept' })
  await root.post('/api/redemption/', { name: 'kept' })
  await root.post('/api/channel/', { name: 'kept', key: 'sk-kept-123456', models: 'm' })
  const before = await everything()
  for (const [row, route] of writing.entries()) {
    for (const [what, body] of casesInTier(notJson, row, 3)) expect(await refused(route, what, body)).toBe(400)
  }
  for (const [row, route] of writing.filter(({ name }) => Object.keys(bodies[name]!).length).entries()) {
    for (const body of casesInTier(noObjects, row, 2)) expect(await refused(route, body, body)).toBe(400)
  }
  expect(await everything()).toBe(before)
  await expectAlive()
})

test('a body as deep, or with as many fields, as fits into 1 MB is refused with 400', async () => {
  const before = await everything()
  const fields = Array.from({ length: 70_000 }, (_, at) => `"f${at}":1`)
  const wide = [`{${fields}}`, `{${fields.map(() => '"name":1')}}`]
  const deep = ['['.repeat(1_000_000), `${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`]
  const paths = ['/api/channel/', '/api/token/', '/api/option/oidc_discovery', '/api/channel/batch/tag']
  for (const [row, path] of paths.entries()) {
    const route = writing.find(one => one.name === `POST ${path}`)!
    for (const body of casesInTier([...wide, ...deep], row, 2))
      expect(await refused(route, body.slice(0, 20), body)).toBe(400)
  }
  expect(await everything()).toBe(before)
  await expectAlive()
})

test('a body is read as JSON whatever its content type, and anything else is refused', async () => {
  const types = ['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'application/json; charset=utf-16']
  const sent = async (type: string, body: string) => {
    const answer = await root.fetch('/api/token/', { method: 'POST', body, headers: { 'content-type': type } })
    return [type, answer.status]
  }
  for (const type of types) {
    expect(await sent(type, '{"name":"typed"}')).toEqual([type, 200])
    expect(await sent(type, '<name>a</name>')).toEqual([type, 400])
  }
})

test('a body above 1 MB is refused with 413, with and without content-length', async () => {
  const before = await everything()
  const large = JSON.stringify({ name: 'x'.repeat(1_100_000) })
  const announced = () => large
  const inPieces = () => new Blob([large]).stream()
  for (const [row, route] of writing.entries()) {
    for (const body of casesInTier([announced, inPieces], row, 1))
      expect(await refused(route, body.name, body())).toBe(413)
  }
  expect(await everything()).toBe(before)
})

test('an unknown field is refused by its name', async () => {
  const before = await everything()
  for (const route of writing) {
    const good = bodies[route.name]!
    if (!Object.keys(good).length || route.path === '/api/setup') continue
    const { status, answer } = await send(route, JSON.stringify({ ...good, surprise: 1 }))
    expect([route.name, status, answer.code, answer.field]).toEqual([
      route.name,
      400,
      'error.unknown_field',
      'surprise',
    ])
    expect(answer.message).toBe('Unknown field: surprise')
  }
  expect(await everything()).toBe(before)
})

test('a field of a wrong type, or no number, is refused and stores nothing', async () => {
  const before = await everything()
  for (const [row, route] of writing.entries()) {
    const good = bodies[route.name]!
    for (const [at, [field, value]] of Object.entries(good).entries()) {
      for (const wrong of casesInTier(wrongFor(value, field), row + at, 2)) {
        const body = JSON.stringify({ ...good, [field]: wrong })
        await refused(route, `${field}: ${JSON.stringify(wrong)}`, body)
      }
      await refused(route, `${field}: 1e999`, JSON.stringify({ ...good, [field]: '@' }).replace('"@"', '1e999'))
    }
  }
  expect(await everything()).toBe(before)
  await expectAlive()
})

const oddIds = [
  'abc',
  '-1',
  '0',
  '1.5',
  '9007199254740993',
  '99999999999999999999',
  '%ff',
  '%00',
  '1e3',
  "1'--",
  '%F0%9F%8E%B2',
]

test('an invalid id changes and shows nothing', async () => {
  const before = await everything()
  for (const [row, { method, path, name }] of routes.filter(({ path }) => path.includes(':')).entries()) {
    for (const id of casesInTier(oddIds, row, 3)) {
      const body = method === 'PUT' ? JSON.stringify(bodies[name]) : undefined
      const response = await root.fetch(path.replaceAll(/:\w+/g, id), { method, body })
      const { success } = (await response.json()) as { success: boolean }
      expect([name, id, response.status >= 400 && response.status < 500, success]).toEqual([name, id, true, false])
    }
  }
  expect(await everything()).toBe(before)
})

const oddQueries = [
  'p=999999999999999&page_size=999999999999999&size=999999999999999',
  'p=-1&page_size=-1&size=-1',
  'p=NaN&page_size=undefined&size=null&keyword=&type=NaN&channel=undefined&start_timestamp=NaN',
  'p=1e9&page_size=0x10&size=1.5',
  `keyword=${encodeURIComponent('%_\\\'";--')}&token=%25&group=%25_&model=%5C&model_name=${'a*'.repeat(40)}b`,
  'keyword=%ff%fe&username=%ED%A0%80&token_name=%F0%9F%8E%B2&group=%E2%80%AE',
  'start_timestamp=9007199254740991&end_timestamp=9007199254740991&channel=9007199254740991&type=99',
  'id_sort=maybe&tag_mode=1&status=5&p=1&p=2&keyword=a,b&keyword={}',
]

test('an odd query is answered or refused, and never an internal error', async () => {
  // Created by the first look.
  await root.get('/api/user/aff')
  const before = await everything()
  const read = routes.filter(
    ({ method, path }) => method === 'GET' && !/:|logout|user\/token|(test|update_balance)$/.test(path),
  )
  for (const [row, { path, name }] of read.entries()) {
    for (const query of casesInTier(oddQueries, row, 2)) {
      const response = await root.fetch(`${path}?${query}`)
      expect([name, query, response.status < 500]).toEqual([name, query, true])
    }
    expect([name, (await root.fetch(`${path}?keyword=%00&p=%00`)).status]).toEqual([name, 400])
  }
  expect(await everything()).toBe(before)
  await expectAlive()
})

test('a malformed cookie is ignored', async () => {
  const odd = [{ text: 'x', request_id: { x: 1 } }, { kind: 'error', text: { x: 1 } }, [], null, 1]
  const notices = odd.map(notice => `notice=${encodeURIComponent(JSON.stringify(notice))}`)
  for (const cookie of ['language=%zz', 'theme=%E0%A4%A; zone=%', 'session=%', 'notice=%7B', ...notices]) {
    const person = new Person(0, '', cookie)
    expect([cookie, (await person.page('/login')).status]).toEqual([cookie, 200])
    expect([cookie, (await person.get('/api/nothing')).status]).toEqual([cookie, 404])
    expect([cookie, (await person.page('/no/such/page')).status]).toEqual([cookie, 404])
  }
})
