/** Fields that a body does not have, at every writing route: refused, or ignored where clients send whole rows back. */
import { expect, test } from 'bun:test'
import { db } from '../../src/db/database.ts'
import { channels } from '../../src/domain/channels/table.ts'
import { messageRecipients, messages } from '../../src/domain/messages/table.ts'
import { redemptions } from '../../src/domain/redemption/table.ts'
import { tokens } from '../../src/domain/tokens/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { ledger } from '../../src/domain/wallet/table.ts'
import { bodies } from '../support/app/bodies.ts'
import { isApi, routesFor } from '../support/app/routes.ts'
import { setUp, visitor } from '../support/people/person.ts'
import { newRow } from '../support/people/redemption-codes.ts'

const root = await setUp()
await visitor()

/** Columns of users, tokens, channels and messages, and names that mean something to JavaScript. */
const foreign: Record<string, unknown> = {
  ...{
    id: 2,
    user_id: 1,
    role: 100,
    status: 2,
    quota: 9e9,
    used_quota: 7,
    request_count: 7,
    group: 'vip',
    key: 'chosen',
  },
  ...{ aff_code: 'chosen', aff_quota: 9e9, aff_count: 9, aff_history_quota: 9, inviter_id: 2, email: 'e@example.com' },
  ...{ github_id: '1', oidc_id: '1', wechat_id: '1', telegram_id: '1', linux_do_id: '1', setting: '{"a":1}' },
  ...{ access_token: 'x', access_token_hash: 'x', password_hash: 'x', DeletedAt: 'now', deleted_time: 1 },
  ...{ created_time: 1, accessed_time: 1, sender_id: 2, balance: 9e9, response_time: 1, constructor: { role: 100 } },
}

const tables = { users, tokens, channels, messages, messageRecipients, redemptions, ledger }

async function rows() {
  const all = await Promise.all(Object.values(tables).map(table => db.select().from(table)))
  return Object.fromEntries(
    Object.keys(tables).map((name, at) => [name, all[at]!.map(row => JSON.stringify(row)).sort()]),
  )
}

/** Fields that a body may also have. */
const optional: Record<string, string[]> = { 'POST /api/channel/fetch_models': ['id', 'key', 'setting'] }

/** Bodies of whole rows: these ignore what only the server writes. */
const takesRows: Record<string, string[]> = {
  'PUT /api/user/self': [],
  'PUT /api/user/': ['group', 'quota'],
  'PUT /api/token/': ['group'],
  'PUT /api/channel/': ['group', 'status', 'key', 'setting', 'email'],
  'POST /api/token/': ['group'],
  'POST /api/channel/': ['group', 'status', 'key', 'setting'],
  'PUT /api/redemption/': ['quota'],
  'POST /api/redemption/': ['quota', 'key'],
}

const send = (name: string, body: string) => {
  const [method, path] = name.split(' ') as [string, string]
  return root.fetch(path.replace(/:\w+/g, '999999'), { method, body })
}

const withPrototype = (body: object) =>
  JSON.stringify({ ...body, '@': { role: 100, quota: 9 } }).replace('"@"', '"__proto__"')

const strict = routesFor('anyone', 'users', 'admins', 'root')
  .filter(route => isApi(route) && route.method !== 'GET')
  .map(({ name }) => name)
  .filter(name => !(name in takesRows) && Object.keys(bodies[name] ?? {}).length > 0 && name !== 'POST /api/setup')

test('a field that a body does not have is refused by its name, and so is a prototype', async () => {
  const before = await rows()
  for (const name of strict) {
    const good = bodies[name]!
    for (const [field, value] of Object.entries(foreign).filter(
      ([field]) => !(field in good || optional[name]?.includes(field)),
    )) {
      const response = await send(name, JSON.stringify({ ...good, [field]: value }))
      const answer = (await response.json()) as { field?: string }
      // An id of no address comes before the body.
      const isRefused = response.status === 404 ? name.includes(':') : answer.field === field
      expect([name, field, isRefused]).toEqual([name, field, true])
    }
    expect([name, (await send(name, withPrototype(good))).status]).toEqual([
      name,
      name.includes(':') ? expect.any(Number) : 400,
    ])
  }
  expect(await rows()).toEqual(before)
})

test('a field of a row that only the server writes is ignored or refused by an edit', async () => {
  const person = await visitor()
  const { data: token } = await root.post('/api/token/', { name: 'row', remain_quota: 5 })
  const { data: channel } = await root.post('/api/channel/', { name: 'row', key: 'sk-row-123456', models: 'm' })
  const ids: Record<string, object> = {
    'PUT /api/user/self': {},
    'PUT /api/user/': { id: person.id },
    'PUT /api/token/': { id: token.id },
    'PUT /api/channel/': { id: channel.id },
    'PUT /api/redemption/': { id: (await newRow()).id },
  }
  const before = await rows()
  for (const [name, id] of Object.entries(ids)) {
    const own = takesRows[name]!
    for (const [field, value] of Object.entries(foreign).filter(([field]) => field !== 'id' && !own.includes(field)))
      await send(name, JSON.stringify({ ...id, [field]: value }))
    await send(name, withPrototype(id))
    expect([name, await rows()]).toEqual([name, before])
  }
})

test.each([
  ['POST /api/token/', tokens, { name: 'new', remain_quota: 5 }],
  ['POST /api/channel/', channels, { name: 'new', key: 'sk-new-123456', models: 'm' }],
  ['POST /api/redemption/', redemptions, { name: 'new', quota: 5 }],
] as const)('%s creates a row with its own values alone', async (name, table, body) => {
  const create = async (text: string) => {
    const known = new Set((await db.select({ id: table.id }).from(table)).map(({ id }) => id))
    await send(name, text)
    const made = (await db.select().from(table)).filter(({ id }) => !known.has(id))
    return made.map(row => ({
      ...row,
      id: 0,
      created_time: 0,
      accessed_time: 0,
      key_hash: '',
      key_sealed: '',
      key_tail: '',
    }))
  }
  const [plain] = await create(JSON.stringify(body))
  expect(plain).toBeDefined()
  const own: readonly string[] = takesRows[name]!
  for (const [field, value] of Object.entries(foreign).filter(([field]) => !own.includes(field)))
    for (const made of await create(JSON.stringify({ ...body, [field]: value })))
      expect([field, made as object]).toEqual([field, plain as object])
  for (const made of await create(withPrototype(body))) expect(made as object).toEqual(plain as object)
})
