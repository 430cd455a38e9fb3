/** Running calls of users and keys that lose their access. */
import { afterAll, afterEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { invalidate } from '../../../src/cluster/invalidation.ts'
import { Role, UserStatus } from '../../../src/contracts/account.ts'
import { db } from '../../../src/db/database.ts'
import { users } from '../../../src/domain/users/table.ts'
import { now, shiftClock, skipTime } from '../../../src/process/clock.ts'
import { resetStores } from '../../../src/process/stores.ts'
import { app } from '../../support/app/app.ts'
import { logsOf } from '../../support/app/logs.ts'
import { setOption } from '../../support/app/options.ts'
import { Client, client, clientOf, quotaOf, RICH } from '../../support/people/client.ts'
import { setUp, visitor } from '../../support/people/person.ts'
import { dial, REALTIME_MODEL } from '../../support/people/realtime-client.ts'
import { readStream, textArrives } from '../../support/people/responses.ts'
import { until } from '../../support/until.ts'
import { hangsAfter } from '../../support/upstream/chat-scripts.ts'
import { realtimeModel } from '../../support/upstream/realtime-model.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const upstream = await startUpstream(hangsAfter(20, { text: 'word '.repeat(30), chunks: 30 }))
const served = await channelTo(upstream, { group: 'default,vip' })

const change = (columns: object) => async (ann: Client) => {
  await db.update(users).set(columns).where(eq(users.id, ann.person.id))
  invalidate('user', ann.person.id)
}

async function firstToken({ person }: Client): Promise<{ id: number }> {
  return (await person.get('/api/token/')).data[0]
}

const deleteKey = async (ann: Client) => ann.person.delete(`/api/token/${(await firstToken(ann)).id}`)
const disableKey = async (ann: Client) =>
  ann.person.put('/api/token/?status_only=true', { id: (await firstToken(ann)).id, status: 2 })
const rotateKey = async (ann: Client) => ann.person.form(`/app/tokens/${(await firstToken(ann)).id}/rotate`)
const editKey = (changes: object) => async (ann: Client) =>
  ann.person.put('/api/token/', { id: (await firstToken(ann)).id, ...changes })
const manage = (action: string) => async (ann: Client) =>
  (await setUp()).post('/api/user/manage', { id: ann.person.id, action })

/** The key expires while the clock goes on. */
async function expire(ann: Client) {
  await editKey({ expired_time: now() + HOUR })(ann)
  shiftClock(HOUR)
}

const HOUR = 3600

const losses = [
  ['a banned user', change({ status: UserStatus.banned }), 'user_banned'],
  ['a deleted user', change({ deleted_time: now() }), 'key_invalid'],
  ['a user whom an administrator disables', manage('disable'), 'user_banned'],
  ['a disabled key', disableKey, 'token_disabled'],
  ['a deleted key', deleteKey, 'key_invalid'],
  ['a rotated key', rotateKey, 'key_invalid'],
  ['an expired key', expire, 'token_expired'],
  ['a key whose addresses change', editKey({ allow_ips: '10.0.0.0/8' }), 'address_forbidden'],
  [
    'a key whose models change',
    editKey({ model_limits_enabled: true, model_limits: 'another-model' }),
    'model_forbidden',
  ],
  ['a key whose group is no longer offered', () => setOption('UserUsableGroups', '{"default":""}'), 'group_forbidden'],
] as const

const offerGroups = () => setOption('UserUsableGroups', '{"default":"","vip":""}')

afterEach(async () => {
  resetStores('clock')
  await offerGroups()
})

test.each(losses)('the running stream of %s ends at once with an error and a bill', async (_, lose, code) => {
  await offerGroups()
  const ann = await client({ group: 'vip' })
  const response = await ann.stream()
  await textArrives(response, 'word')
  await lose(ann)
  expect(await readStream(response)).toMatchObject({ done: false, error: { code } })
  const entry = await until(async () => (await logsOf(ann.person))[0])
  expect(entry.other).toMatchObject({ partial: true, stream_status: 'stopped' })
  expect(entry.quota).toBeGreaterThan(0)
})

test('the running stream of an administrator who names a channel ends with their role', async () => {
  const boss = await clientOf(await visitor(Role.admin, RICH))
  const response = await new Client(boss.person, `${boss.key}-${served.id}`).stream()
  await textArrives(response, 'word')
  await change({ role: Role.user })(boss)
  expect(await readStream(response)).toMatchObject({ done: false, error: { code: 'channel_choice_forbidden' } })
})

test('a key that loses its access before the first word ends its stream', async () => {
  const start = Promise.withResolvers<void>()
  upstream.scripts('gpt-4o', async (call, answer) => {
    await start.promise
    await hangsAfter(20, { text: 'word '.repeat(30), chunks: 30 })(call, answer)
  })
  const ann = await client()
  const before = upstream.journal.length
  const answer = ann.stream()
  await until(() => upstream.journal.length > before)
  await disableKey(ann)
  start.resolve()
  expect(await readStream(await answer)).toMatchObject({ done: false, error: { code: 'token_disabled' } })
  upstream.scripts('gpt-4o', hangsAfter(20, { text: 'word '.repeat(30), chunks: 30 }))
})

test('a user whose other fields change keeps the running stream', async () => {
  const [ann, bea] = [await client(), await visitor()]
  const aborted = new AbortController()
  const response = await ann.stream({}, { signal: aborted.signal })
  await textArrives(response, 'word')
  await change({ display_name: 'Ann' })(ann)
  await db.update(users).set({ status: UserStatus.banned }).where(eq(users.id, bea.id))
  invalidate('user', bea.id)
  expect(await logsOf(ann.person)).toEqual([])
  aborted.abort()
  await until(() => app.server!.pendingRequests === 0)
  skipTime(10)
  const entry = await until(async () => (await logsOf(ann.person))[0])
  expect(entry.other).toMatchObject({ stream_status: 'abandoned' })
  expect(await ann.balance()).toBe(RICH - quotaOf(entry.prompt_tokens, entry.completion_tokens))
})

const realtime = realtimeModel()
await channelTo(realtime.url, { models: REALTIME_MODEL, group: 'default,vip' })
afterAll(() => realtime.stop())

test.each(losses)('a realtime session of %s is closed with 1008 and billed as reported', async (_, lose, code) => {
  await offerGroups()
  const report = Promise.withResolvers<void>()
  realtime.answers.splice(0, 1, { words: 5, report: report.promise })
  const ann = await client({ group: 'vip' })
  const call = await dial(ann)
  await call.seen('session.created')
  call.say({ type: 'response.create' })
  await call.seen('response.output_text.delta', 5)
  await lose(ann)
  expect(await call.closed).toBe(1008)
  expect(call.events.at(-1)).toMatchObject({ type: 'error', error: { code } })
  report.resolve()
  // A deleted user has no log to look into.
  await until(() => realtime.sessions.at(-1)!.closed)
  const [entry] = await until(async () => {
    const { data } = await (await setUp()).get(`/api/log/?type=2&username=${ann.person.username}`)
    return data.items?.length && data.items
  })
  expect(entry.completion_tokens).toBe(5)
  const { stream_status, partial, counted_locally } = JSON.parse(entry.other)
  expect([stream_status, partial, counted_locally]).toEqual(['stopped', true, undefined])
})

test('an idle realtime session of a key that expires is closed with 1008', async () => {
  const ann = await client({ expired_time: now() + HOUR })
  const call = await dial(ann)
  await call.seen('session.created')
  shiftClock(HOUR)
  expect(await call.closed).toBe(1008)
})
