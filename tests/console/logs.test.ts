/** The usage log through the API: lists, filters, totals, clearing. */
import { beforeAll, expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { LOGS_COUNTED_MAX, type LogEntry, LogType } from '../../src/contracts/log.ts'
import { db } from '../../src/db/database.ts'
import { channels } from '../../src/domain/channels/table.ts'
import { holdClock, now, shiftClock } from '../../src/process/clock.ts'
import { anyone, type Person, setUp, visitor } from '../support/people/person.ts'
import { onEmptyLog, spend, write } from '../support/people/usage-log.ts'

let root: Person
let ann: Person
let bob: Person
let channel: number
const start = now()

const secrets = {
  model_ratio: 1.5,
  is_model_mapped: true,
  upstream_model_name: 'vendor-model',
  channel_id: 7,
  channel_name: 'dear-vendor',
  channel_type: 1,
  admin_info: { use_channel: ['7'] },
}

const list = async (person: Person, query = '') => {
  const { data } = await person.get(`${person === root ? '/api/log/' : '/api/log/self/'}?${query}`)
  return data.items as LogEntry[]
}
const models = async (person: Person, query = '') => (await list(person, query)).map(entry => entry.model_name)

beforeAll(async () => {
  holdClock(true)
  root = await setUp()
  ann = await visitor(Role.user, 1_000_000)
  bob = await visitor(Role.user, 1_000_000)
  ;[{ id: channel }] = (await db
    .insert(channels)
    .values({ name: 'bedrock-fra', key_sealed: '', created_time: now() })
    .returning({ id: channels.id })) as [{ id: number }]
})

test('log entries are listed newest first, in pages that count from 1', () =>
  onEmptyLog(async () => {
    await write(
      ann,
      ...Array.from({ length: 23 }, (_, index) => ({ model_name: `m${index}`, created_at: start - 100 + index })),
    )
    const first = (await ann.get('/api/log/self/?p=1&page_size=10')).data
    expect(first).toMatchObject({ page: 1, page_size: 10, total: 23, capped: false })
    expect(first.items.map((entry: LogEntry) => entry.model_name)).toEqual(
      Array.from({ length: 10 }, (_, index) => `m${22 - index}`),
    )
    expect((await ann.get('/api/log/self?p=3&page_size=10')).data.items).toHaveLength(3)
    expect((await ann.get('/api/log/self/?p=9&page_size=10')).data).toMatchObject({ items: [], total: 23 })
    expect((await ann.get('/api/log/self/?p=NaN&page_size=-3')).data).toMatchObject({ page: 1, page_size: 10 })
    expect((await ann.get('/api/log/self/?p=0&page_size=0')).data).toMatchObject({ page: 1, page_size: 10 })
    expect((await ann.get('/api/log/self/?page_size=5000')).data.page_size).toBe(100)
  }))

test('users see their own log entries, administrators everyone’s', () =>
  onEmptyLog(async () => {
    await write(ann, { model_name: 'of-ann' })
    await write(bob, { model_name: 'of-bob' })
    expect(await models(ann)).toEqual(['of-ann'])
    expect(await models(ann, `username=${bob.username}`)).toEqual(['of-ann'])
    expect((await models(root)).sort()).toEqual(['of-ann', 'of-bob'])
    expect(await models(root, `username=${bob.username}`)).toEqual(['of-bob'])
    expect(await models(root, 'username=nobody')).toEqual([])
    expect(await ann.get('/api/log/')).toMatchObject({ status: 403, success: false })
    expect(await ann.get('/api/log/stat')).toMatchObject({ status: 403, success: false })
    expect(await anyone.get('/api/log/self/')).toMatchObject({ status: 401, success: false })
  }))

test('operators’ fields of an entry are shown to administrators only', () =>
  onEmptyLog(async () => {
    await write(ann, { model_name: 'm', channel, other: JSON.stringify(secrets) })
    const [mine] = await list(ann, 'channel=999')
    expect(mine).toMatchObject({ channel: 0, channel_name: '' })
    expect(JSON.parse(mine!.other)).toEqual({ model_ratio: 1.5 })
    const [whole] = await list(root)
    expect(whole).toMatchObject({ channel, channel_name: 'bedrock-fra' })
    expect(JSON.parse(whole!.other)).toEqual(secrets)
  }))

test('log filters select the entries that match all of them', () =>
  onEmptyLog(async () => {
    await write(
      ann,
      { model_name: 'gpt-4o', token_name: 'one', group: 'vip', channel, created_at: start - 50 },
      { model_name: 'gpt-4o-mini', token_name: 'two', group: 'default', created_at: start - 40 },
      { model_name: 'claude-sonnet-4-5', token_name: 'one', group: 'default', created_at: start - 30 },
      { model_name: 'claude_sonnet', type: LogType.error, content: 'overloaded', created_at: start - 20 },
      { type: LogType.topUp, content: 'redeemed', created_at: start - 10 },
    )
    expect(await models(ann, 'model_name=gpt-4o')).toEqual(['gpt-4o'])
    expect(await models(ann, 'model_name=gpt-4o*')).toEqual(['gpt-4o-mini', 'gpt-4o'])
    expect(await models(ann, 'model_name=*sonnet*')).toEqual(['claude_sonnet', 'claude-sonnet-4-5'])
    expect(await models(ann, 'model_name=claude_sonnet*')).toEqual(['claude_sonnet'])
    expect(await models(ann, 'model_name=g*4o*mini')).toEqual(['gpt-4o-mini'])
    expect(await models(ann, 'model_name=gpt-4o-mini*i')).toEqual([])
    expect(await models(ann, 'model_name=nothing*')).toEqual([])
    expect(await models(ann, 'token_name=one')).toEqual(['claude-sonnet-4-5', 'gpt-4o'])
    expect(await models(ann, 'token_name=one&group=vip')).toEqual(['gpt-4o'])
    expect(await models(ann, 'token_name=two&model_name=gpt-4o')).toEqual([])
    expect(await models(root, `channel=${channel}`)).toEqual(['gpt-4o'])
    expect(await models(ann, `type=${LogType.error}`)).toEqual(['claude_sonnet'])
    expect(await models(ann, `type=${LogType.error}&model_name=claude*`)).toEqual(['claude_sonnet'])
    expect(await models(ann, `type=${LogType.consume}&group=default`)).toEqual(['claude-sonnet-4-5', 'gpt-4o-mini'])
    expect(await models(ann, `type=0&start_timestamp=${start - 30}&end_timestamp=${start - 20}`)).toEqual([
      'claude_sonnet',
      'claude-sonnet-4-5',
    ])
    expect(await models(ann, 'type=undefined&channel=NaN&group=&start_timestamp=null')).toHaveLength(5)
  }))

test('a model pattern with 50 wildcards is matched without backtracking', () =>
  onEmptyLog(async () => {
    await write(ann, { model_name: 'a'.repeat(200), created_at: start - 10 })
    expect(await models(ann, `model_name=${'a*'.repeat(50)}b`)).toEqual([])
    expect(await models(ann, `model_name=${'a*'.repeat(50)}a`)).toEqual(['a'.repeat(200)])
  }))

test('an invalid log filter is refused with its field', async () => {
  expect(await ann.get('/api/log/self/?type=many')).toMatchObject({ status: 400, success: false, field: 'type' })
  expect(await ann.get('/api/log/self/?start_timestamp=1e300')).toMatchObject({ status: 400, field: 'start_timestamp' })
  expect(await root.get('/api/log/?model_name=%00')).toMatchObject({ status: 400, success: false })
  expect(await ann.get(`/api/log/self/?model_name=${'*'.repeat(3)}%5B(&token_name=%ED%A0%80`)).toMatchObject({
    success: true,
  })
})

test('the number of log entries is counted up to 10,000', () =>
  onEmptyLog(async () => {
    await write(ann, ...Array.from({ length: LOGS_COUNTED_MAX }, () => ({ model_name: 'm', created_at: start })))
    expect((await ann.get('/api/log/self/?p=1')).data).toMatchObject({ total: LOGS_COUNTED_MAX, capped: false })
    await write(ann, { model_name: 'm', created_at: start })
    expect((await ann.get('/api/log/self/?p=1')).data).toMatchObject({ total: LOGS_COUNTED_MAX, capped: true })
    expect((await ann.get('/api/log/self/?p=2&model_name=m')).data).toMatchObject({
      total: LOGS_COUNTED_MAX,
      capped: true,
    })
  }))

test('administrators clear log entries older than a moment; balances and totals stay', () =>
  onEmptyLog(async () => {
    const eve = await visitor(Role.user, 1000)
    await spend(eve, { quota: 400, at: start - 10_000 })
    shiftClock(start - now())
    await write(eve, ...Array.from({ length: 2500 }, () => ({ created_at: start - 9000 })), {
      created_at: start - 8000,
      model_name: 'kept',
    })
    expect(await eve.delete(`/api/log/?target_timestamp=${start - 8000}`)).toMatchObject({
      status: 403,
      success: false,
    })
    expect(await root.delete('/api/log/')).toMatchObject({
      status: 400,
      message: 'Please select the time up to which the log is cleared',
    })
    expect(await root.delete('/api/log/?target_timestamp=0')).toMatchObject({
      status: 400,
      code: 'log.target_required',
    })
    expect(await root.delete(`/api/log/?target_timestamp=${start - 8000}`)).toMatchObject({ success: true, data: 2501 })
    expect(await models(eve)).toEqual(['kept'])
    expect((await eve.get('/api/log/self/stat')).data.quota).toBe(400)
    expect((await eve.get('/api/user/self')).data).toMatchObject({ quota: 600, used_quota: 400 })
  }))

test('log texts are written without characters that a database cannot hold', () =>
  onEmptyLog(async () => {
    await write(ann, { model_name: 'a\0b', content: 'broke \ud800 here\0' })
    expect(await models(ann)).toEqual(['ab'])
  }))

test('a user who takes the former name of another sees own entries only', () =>
  onEmptyLog(async () => {
    const former = bob.username
    await write(bob, { model_name: 'of-bob' })
    expect((await bob.put('/api/user/self', { username: 'bobby' })).success).toBe(true)
    expect((await ann.put('/api/user/self', { username: former })).success).toBe(true)
    await write(ann, { model_name: 'of-ann', username: former })
    for (const query of ['', `username=${former}`, `keyword=${former}`, 'username=bobby', `channel=${channel}`])
      expect((await models(ann, query)).filter(model => model !== 'of-ann')).toEqual([])
    expect(await models(bob)).toEqual(['of-bob'])
    expect((await ann.get('/api/log/self/stat')).data).toEqual(
      (await ann.get(`/api/log/self/stat?username=${former}`)).data,
    )
  }))
