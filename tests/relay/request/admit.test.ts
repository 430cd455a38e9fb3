/** Whether a key may call: state, address, models, group, price. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { UserStatus } from '../../../src/contracts/account.ts'
import { db } from '../../../src/db/database.ts'
import { tokens } from '../../../src/domain/tokens/table.ts'
import { users } from '../../../src/domain/users/table.ts'
import { now, shiftClock } from '../../../src/process/clock.ts'
import { setOption } from '../../support/app/options.ts'
import { client, MODEL, RICH } from '../../support/people/client.ts'
import { errorOf } from '../../support/people/responses.ts'
import { chat } from '../../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const upstream = await startUpstream(chat())
await channelTo(upstream)
const ann = await client()

const token = async (caller: { person: typeof ann.person }) =>
  (await caller.person.get('/api/token/?p=0&size=10')).data[0]

test('a disabled token is refused with 401', async () => {
  const bob = await client()
  const { id } = await token(bob)
  expect((await bob.chat()).status).toBe(200)
  await bob.person.put('/api/token/?status_only=true', { id, status: 2 })
  expect(await errorOf(await bob.chat())).toMatchObject({ status: 401, code: 'token_disabled' })
  await bob.person.put('/api/token/?status_only=true', { id, status: 1 })
  expect((await bob.chat()).status).toBe(200)
})

test('an edited token applies from the next call, a deleted one never again', async () => {
  const bob = await client()
  const made = await token(bob)
  expect((await bob.chat()).status).toBe(200)
  await bob.person.put('/api/token/', { ...made, model_limits_enabled: true, model_limits: 'gpt-4o-mini' })
  expect(await errorOf(await bob.chat())).toMatchObject({ status: 403, code: 'model_forbidden' })
  await bob.person.delete(`/api/token/${made.id}`)
  expect(await errorOf(await bob.chat())).toMatchObject({ status: 401, code: 'key_invalid' })
})

test('keys of a banned and of a deleted user are refused', async () => {
  const [banned, gone] = [await client(), await client()]
  const is = (who: typeof banned, change: object) => db.update(users).set(change).where(eq(users.id, who.person.id))
  await is(banned, { status: UserStatus.banned })
  await is(gone, { deleted_time: now() })
  const before = upstream.journal.length
  expect(await errorOf(await banned.chat())).toMatchObject({ status: 403, code: 'user_banned' })
  expect(await errorOf(await gone.chat())).toMatchObject({ status: 401, code: 'key_invalid' })
  expect(upstream.journal).toHaveLength(before)
})

test('an expired token is refused and shown as expired', async () => {
  const bob = await client({ expired_time: Math.floor(Date.now() / 1000) + 100 })
  expect((await bob.chat()).status).toBe(200)
  shiftClock(200)
  expect(await errorOf(await bob.chat())).toMatchObject({ status: 401, code: 'token_expired' })
  shiftClock(-200)
  expect((await token(bob)).status).toBe(3)
})

test('a token that is extended just as a call finds it expired stays enabled', async () => {
  const end = Math.floor(Date.now() / 1000) + 100
  const bob = await client({ expired_time: end })
  expect((await bob.chat()).status).toBe(200)
  const { id } = await token(bob)
  // As another node does it: this one still remembers the old end.
  await db
    .update(tokens)
    .set({ expired_time: end + 1000 })
    .where(eq(tokens.id, id))
  shiftClock(200)
  expect((await bob.chat()).status).toBe(401)
  expect((await token(bob)).status).toBe(1)
  expect((await bob.chat()).status).toBe(200)
  shiftClock(-200)
})

test('a token without quota is refused', async () => {
  upstream.scripts('gpt-4o-2024-11-20', chat({ usage: { prompt_tokens: 9000, completion_tokens: 1 } }))
  await channelTo(upstream, { models: 'gpt-4o-2024-11-20' })
  const bob = await client({ unlimited_quota: false, remain_quota: 6000 })
  const ask = (max_tokens: number, n = 1) => bob.chat({ model: 'gpt-4o-2024-11-20', max_tokens, n })
  expect(await errorOf(await ask(1000, 128))).toMatchObject({ status: 403, code: 'insufficient_token_quota' })
  expect((await ask(1)).status).toBe(200)
  expect((await token(bob)).status).toBe(4)
  expect(await errorOf(await ask(1))).toMatchObject({ status: 401, code: 'token_exhausted' })
})

test('a user without quota is refused', async () => {
  const bob = await client({}, 100)
  expect(await errorOf(await bob.chat())).toMatchObject({ status: 403, code: 'insufficient_user_quota' })
  expect(await bob.balance()).toBe(100)
})

test('allow_ips admits listed addresses and ranges; a list without a valid entry admits none', async () => {
  const from = async (allow_ips: string, address: string, kept?: string) => {
    const bob = await client({ allow_ips })
    if (kept) await db.update(tokens).set({ allow_ips: kept }).where(eq(tokens.user_id, bob.person.id))
    return bob.chat({}, { headers: { 'x-forwarded-for': address } })
  }
  expect((await from(' \n, ', '10.1.2.3')).status).toBe(200)
  expect((await from('10.1.2.3', '10.1.2.3')).status).toBe(200)
  expect((await from('10.1.0.0/16\n2001:db8::/32', '2001:db8::5')).status).toBe(200)
  expect((await from('2001:db8:0:1::/64', '2001:db8:0:1:f::5')).status).toBe(200)
  const forbidden = { status: 403, code: 'address_forbidden' }
  expect(await errorOf(await from('10.1.0.0/16', '10.2.0.1'))).toMatchObject(forbidden)
  expect(await errorOf(await from('2001:db8:0:1::/64', '2001:db8:0:2::5'))).toMatchObject(forbidden)
  expect(await errorOf(await from('10.0.0.1', '10.1.2.3', 'office 10.0.0.0/8/8 10.0.0.0/33'))).toMatchObject(forbidden)
})

test("models outside the token's list are refused", async () => {
  const bob = await client({ model_limits_enabled: true, model_limits: 'gpt-4o-mini' })
  expect(await errorOf(await bob.chat())).toMatchObject({ status: 403, code: 'model_forbidden' })
  const free = await client({ model_limits_enabled: false, model_limits: 'gpt-4o-mini' })
  expect((await free.chat()).status).toBe(200)
})

test('a model listed with a star matches every suffix', async () => {
  const bob = await client({ model_limits_enabled: true, model_limits: 'gpt-4o-gizmo-*' })
  expect(await errorOf(await bob.chat({ model: 'gpt-4o-gizmo-abc' }))).toMatchObject({
    status: 404,
    code: 'model_not_found',
  })
  expect(await errorOf(await bob.chat({ model: 'gpt-4-gizmo-abc' }))).toMatchObject({ status: 403 })
})

test('a group that is no longer offered is refused', async () => {
  await setOption('UserUsableGroups', JSON.stringify({ default: 'Default', vip: 'VIP' }))
  const bob = await client({ group: 'vip' })
  await setOption('UserUsableGroups', JSON.stringify({ default: 'Default' }))
  expect(await errorOf(await bob.chat())).toMatchObject({ status: 403, code: 'group_forbidden' })
})

test('a model that no channel lists answers 404, one of a disabled channel 503, one without a price 400', async () => {
  expect(await errorOf(await ann.chat({ model: 'nobody-serves-this' }))).toMatchObject({
    status: 404,
    type: 'invalid_request_error',
    code: 'model_not_found',
    param: 'model',
  })
  await channelTo(upstream, { models: 'disabled-model', status: 2 })
  expect(await errorOf(await ann.chat({ model: 'disabled-model' }))).toMatchObject({ status: 503, code: 'no_channel' })
  await channelTo(upstream, { models: 'vip-model', group: 'vip' })
  expect(await errorOf(await ann.chat({ model: 'vip-model' }))).toMatchObject({ status: 404, code: 'model_not_found' })
  await channelTo(upstream, { models: 'nobody-priced-this' })
  expect(await errorOf(await ann.chat({ model: 'nobody-priced-this' }))).toMatchObject({
    status: 400,
    code: 'model_unpriced',
  })
})

test('accept_unset_model_ratio_model calls a model without a price at the default ratio', async () => {
  await channelTo(upstream, { models: 'unpriced' })
  upstream.scripts('unpriced', chat({ usage: { prompt_tokens: 10, completion_tokens: 2 } }))
  const having = async (setting: string) => {
    const bob = await client()
    await db.update(users).set({ setting }).where(eq(users.id, bob.person.id))
    return bob
  }
  for (const setting of ['{}', '{"accept_unset_model_ratio_model":false}', 'no JSON'])
    expect((await (await having(setting)).chat({ model: 'unpriced' })).status).toBe(400)
  const bob = await having('{"accept_unset_model_ratio_model":true}')
  expect((await bob.chat({ model: 'unpriced' })).status).toBe(200)
  expect(await bob.balance()).toBe(RICH - 12 * 37.5)
})

test('model names match exactly, including case and blanks', async () => {
  for (const model of [MODEL.toUpperCase(), ` ${MODEL}`, `${MODEL} `, `${MODEL}\u200b`]) {
    const before = upstream.journal.length
    expect((await errorOf(await ann.chat({ model }))).status).toBeOneOf([400, 404])
    expect(upstream.journal).toHaveLength(before)
  }
})
