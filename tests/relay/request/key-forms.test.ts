// @engine sqlite
/** Every place of a request that may carry a key, at every endpoint: each restriction of the key holds in all of them. */
import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Role, UserStatus } from '../../../src/contracts/account.ts'
import { db } from '../../../src/db/database.ts'
import { tokens } from '../../../src/domain/tokens/table.ts'
import { users } from '../../../src/domain/users/table.ts'
import { apiRoutes } from '../../../src/relay/endpoints/table.ts'
import { isOfThisSite } from '../../../src/relay/request/api-language.ts'
import { setOption } from '../../support/app/options.ts'
import { type Client, client, clientOf, RICH } from '../../support/people/client.ts'
import { visitor } from '../../support/people/person.ts'
import { channelTo } from '../../support/upstream/served-channel.ts'

/** Served by a disabled channel: a call that is let in ends with 503, whatever its endpoint. */
const MODEL = 'closed-model'
const LET_IN = 503
await channelTo('http://127.0.0.1:9', { models: MODEL, group: 'default,vip', status: 2 })

type Form = (key: string, path: string) => { path?: string; headers?: Record<string, string> }

const forms: Record<string, Form> = {
  'Authorization: Bearer sk-KEY': key => ({ headers: { authorization: `Bearer sk-${key}` } }),
  'Authorization: KEY': key => ({ headers: { authorization: key } }),
  'x-api-key': key => ({ headers: { 'x-api-key': `sk-${key}` } }),
  'x-goog-api-key': key => ({ headers: { 'x-goog-api-key': key } }),
  'Sec-WebSocket-Protocol': key => ({
    headers: { 'sec-websocket-protocol': `realtime, openai-insecure-api-key.sk-${key}` },
  }),
}
const inQuery: Form = (key, path) => ({ path: `${path}${path.includes('?') ? '&' : '?'}key=sk-${key}` })

const change = (who: Client, fields: Partial<typeof tokens.$inferInsert>) =>
  db.update(tokens).set(fields).where(eq(tokens.user_id, who.person.id))

await setOption('UserUsableGroups', JSON.stringify({ default: 'Default', vip: 'VIP' }))
const vip = await client({ group: 'vip' })
await setOption('UserUsableGroups', JSON.stringify({ default: 'Default' }))
const banned = await client()
await db.update(users).set({ status: UserStatus.banned }).where(eq(users.id, banned.person.id))
const [free, disabled, expired, exhausted, gone] = await Promise.all(Array.from({ length: 5 }, () => client()))
await change(disabled!, { status: 2 })
await change(expired!, { expired_time: 1000 })
await change(exhausted!, { status: 4 })
await gone!.person.delete(`/api/token/${(await gone!.person.get('/api/token/')).data[0].id}`)
const limited = { model_limits_enabled: true, model_limits: 'another-model' }

/** The key, and the status at every endpoint. */
const restrictions: [what: string, key: string, status: number][] = [
  ['bound to other addresses', (await client({ allow_ips: '10.1.2.3' })).key, 403],
  ['of a group that is not offered', vip.key, 403],
  ['of a banned user', banned.key, 403],
  ['that names a channel, of an ordinary user', `${free!.key}-1`, 403],
  ['that names a channel, of an administrator whose key is bound to other addresses', await boundToAddress(), 403],
  ['that is disabled', disabled!.key, 401],
  ['that has expired', expired!.key, 401],
  ['whose quota is spent', exhausted!.key, 401],
  ['that was deleted', gone!.key, 401],
]
const forOtherModels = (await client(limited)).key

async function boundToAddress() {
  const { key } = await clientOf(await visitor(Role.admin, RICH), { allow_ips: '10.1.2.3' })
  return `${key}-1`
}

/** The fields of all formats at once. */
const body = {
  ...{ model: MODEL, max_tokens: 9, messages: [{ role: 'user', content: 'hello' }], input: 'hello', prompt: 'hello' },
  ...{ contents: [{ parts: [{ text: 'hello' }] }], content: { parts: [{ text: 'hello' }] }, voice: 'alloy' },
  ...{ query: 'hello', documents: ['hello'], requests: [{ content: { parts: [{ text: 'hello' }] } }] },
}

/** Of a call, or of a handshake where the endpoint takes no others. */
async function statusOf(method: string, path: string, headers?: Record<string, string>) {
  const json = method === 'POST' && { body: JSON.stringify(body) }
  const socket = path.startsWith('/v1/realtime') && { upgrade: 'websocket', connection: 'Upgrade' }
  const init = { method, ...json, headers: { 'content-type': 'application/json', ...socket, ...headers } }
  return (await fetch(free!.url + path, init)).status
}

const routes = apiRoutes.filter(route => route.handle && !isOfThisSite(route))

describe.each(routes.map(route => [`${route.method} ${route.path}`, route] as const))('keys at %s', (_, route) => {
  const ask = async (form: Form, key: string) => {
    const named = route.path.replace('*', MODEL).replace(':id', 'resp_unknown')
    const plain = named.endsWith('/realtime') ? `${named}?model=${MODEL}` : named
    const { path = plain, headers } = form(key, plain)
    return statusOf(route.method, path, headers)
  }

  test('a restriction of the key holds wherever the key stands', async () => {
    const places = Object.entries(route.key_in_query ? { ...forms, '?key=': inQuery } : forms)
    for (const [place, form] of places) {
      const status = await ask(form, free!.key)
      expect([place, [401, 403].includes(status)]).toEqual([place, false])
      for (const [what, key, refused] of restrictions)
        expect([place, what, await ask(form, key)]).toEqual([place, what, refused])
      if (status === LET_IN) expect([place, await ask(form, forOtherModels)]).toEqual([place, 403])
    }
  })
})

const statements = [
  `' or '1'='1`,
  `x' or 1=1 --`,
  `" or ""="`,
  `'; delete from tokens; --`,
  `' union select * from tokens --`,
  `${'a'.repeat(48)}' or '1'='1`,
  `\\' or 1=1 --`,
]

test('a key that is a piece of SQL is refused as an unknown one, wherever it stands', async () => {
  const before = await db.select().from(tokens).orderBy(tokens.id)
  for (const { method, path, key_in_query } of routes.filter(({ path }) => !/[*:]/.test(path)))
    for (const [place, form] of Object.entries(forms))
      for (const text of statements) {
        const { headers } = form(text, path)
        expect([place, text, await statusOf(method, path, headers)]).toEqual([place, text, 401])
        if (key_in_query) expect(await statusOf(method, `${path}?key=${encodeURIComponent(text)}`)).toBe(401)
      }
  expect(await db.select().from(tokens).orderBy(tokens.id)).toEqual(before)
})

test('a key is taken from the query at the endpoints of Gemini alone', async () => {
  expect(routes.some(({ key_in_query }) => key_in_query)).toBe(true)
  const others = routes.filter(({ key_in_query, path }) => !key_in_query && !path.includes(':'))
  for (const { method, path } of others)
    expect([path, await statusOf(method, `${path}?key=sk-${free!.key}`)]).toEqual([path, 401])
})
