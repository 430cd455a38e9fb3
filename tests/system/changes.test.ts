// @engine postgres
/**
 * A change that one node makes holds at the other, which had cached what was before. Nothing is timed: how long it takes
 * is measured in the long tier.
 */
import { afterAll, afterEach, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { setUpInstallation, signInAt, startAt } from '../support/app/installation.ts'
import { checkInvariants } from '../support/cluster/invariants.ts'
import { addMembers, type Member, sendWell } from '../support/people/member.ts'
import { until } from '../support/until.ts'
import { chat, gate, refuses } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'

const MODEL = 'gpt-4o-mini'
const UNIT = 500_000

const upstream = await fakeUpstream()
afterAll(() => upstream.stop())
upstream.scripts(MODEL, chat())
const place = await setUpInstallation()
afterEach(() => checkInvariants(place))
const first = await startAt(place)
const root = await signInAt(first)
const channel = { name: 'mock', type: 1, key: 'sk-upstream', base_url: upstream.url, models: MODEL }
const { data: mock } = await sendWell(first.url, root, '/api/channel/', { body: channel })
const second = await startAt(place)

interface Caller extends Member {
  key: string
  token_id: number
}

/** A user with quota and a key, of which the second node has just taken a call. */
async function caller(name: string): Promise<Caller> {
  const [member] = (await addMembers(place, name, 1)) as [Member]
  await sendWell(first.url, root, '/api/topup', { body: { user_id: member.id, quota: UNIT, remark: '' } })
  const { data } = await sendWell(first.url, member, '/api/token/', { body: { name, unlimited_quota: true } })
  const one = { ...member, key: data.key, token_id: data.id }
  expect(await call(one)).toBe(200)
  return one
}

/** @returns the status of a call at the second node */
async function call({ key }: Caller, node = second, more: object = {}): Promise<number> {
  const response = await fetch(`${node.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}` },
    body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 50, ...more }),
  })
  await response.text()
  return response.status
}

const becomes = (one: Caller, status: number) => until(async () => (await call(one)) === status, `a ${status}`)

const put = (path: string, body: object, who: Pick<Member, 'headers'> = root) =>
  sendWell(first.url, who, path, { method: 'PUT', body })

type Change = [what: string, status: number, change: (one: Caller) => Promise<unknown>, back?: () => Promise<unknown>]

const changesAtFirst: Change[] = [
  ['a disabled key', 401, one => put('/api/token/?status_only=true', { id: one.token_id, status: 2 }, one)],
  ['a deleted key', 401, one => sendWell(first.url, one, `/api/token/${one.token_id}`, { method: 'DELETE' })],
  [
    'a banned user',
    403,
    one => sendWell(first.url, root, '/api/user/manage', { body: { id: one.id, action: 'disable' } }),
  ],
  [
    'a deleted user',
    401,
    one => sendWell(first.url, root, '/api/user/manage', { body: { id: one.id, action: 'delete' } }),
  ],
  [
    'a disabled channel',
    503,
    () => put('/api/channel/', { id: mock.id, status: 2 }),
    () => put('/api/channel/', { id: mock.id, status: 1 }),
  ],
  [
    'a price',
    403,
    () => put('/api/option/', { key: 'ModelRatio', value: JSON.stringify({ [MODEL]: 100_000 }) }),
    () => put('/api/option/', { key: 'ModelRatio', value: JSON.stringify({ [MODEL]: 1 }) }),
  ],
]

test.each(changesAtFirst.map(change => [change[0], change] as const))(
  '%s of the first node holds at the second',
  async (_, [what, status, change, back]) => {
    const one = await caller(what.replace(/\W/g, ''))
    await change(one)
    await becomes(one, status)
    await back?.()
    if (back) await becomes(one, 200)
  },
)

test('a key that was refused works at the second node once the first has made it', async () => {
  const [member] = (await addMembers(place, 'newcomer', 1)) as [Member]
  await sendWell(first.url, root, '/api/topup', { body: { user_id: member.id, quota: UNIT, remark: '' } })
  for (let round = 0; round < 3; round++) {
    const body = { name: `key ${round}`, unlimited_quota: true }
    const { data } = await sendWell(first.url, member, '/api/token/', { body })
    expect(await call({ ...member, key: data.key, token_id: data.id })).toBe(200)
  }
})

test.each([
  ['whose key is disabled', one => put('/api/token/?status_only=true', { id: one.token_id, status: 2 }, one)],
  [
    'whose user is banned',
    one => sendWell(first.url, root, '/api/user/manage', { body: { id: one.id, action: 'disable' } }),
  ],
] as [string, (one: Caller) => Promise<unknown>][])(
  'a stream at the second node %s at the first ends',
  async (what, change) => {
    const one = await caller(`streams${what.length}`)
    const held = gate()
    upstream.scripts(MODEL, held.script)
    const ended = call(one, second, { stream: true })
    await until(() => upstream.journal.at(-1)?.body.stream)
    await change(one)
    expect(await ended).toBe(200)
    expect(await upstream.journal.at(-1)!.ended).toBe('aborted')
    held.open()
    upstream.scripts(MODEL, chat())
  },
)

test('a cooldown that the first node was told of holds at the second', async () => {
  const one = await caller('cooled')
  upstream.scripts(MODEL, refuses(429, { 'retry-after': '300' }))
  expect(await call(one, first)).toBe(429)
  const asked = upstream.journal.length
  upstream.scripts(MODEL, chat())
  // Not by calls: the answer to one that has begun before would end the cooldown.
  await until(async () => {
    const { data } = await sendWell(second.url, root, `/api/channel/${mock.id}`, { method: 'GET' })
    return data.cooldown ?? data.model_cooldowns[0]
  })
  expect(await call(one)).toBe(429)
  expect(upstream.journal.length).toBe(asked)
  // Saving the channel ends the cooldown on both.
  await put('/api/channel/', { id: mock.id, name: 'saved' })
  await becomes(one, 200)
})

test('a change whose transaction ends after later ones is not missed', async () => {
  const one = await caller('late')
  const other = await caller('early')
  const database = new SQL(place.env.DATABASE_URL!, { max: 1 })
  await database.begin(async tx => {
    await tx.unsafe(`update tokens set status = 2 where id = ${one.token_id}`)
    await tx.unsafe(`insert into changes (transaction, node, name, key, created_time)
      values (pg_current_xact_id()::text::bigint, 'another', 'token', '${one.token_id}', extract(epoch from now())::bigint)`)
    await put('/api/token/?status_only=true', { id: other.token_id, status: 2 }, other)
    await becomes(other, 401)
  })
  await becomes(one, 401)
  await database.close()
})
