// @engine both
/** Songs and lyrics as tasks: written before the call, charged once when they are accepted, refunded once when they fail. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { TokenStatus } from '../../../src/contracts/token.ts'
import { db } from '../../../src/db/database.ts'
import { resetCircuits } from '../../../src/domain/routing/health/breaker.ts'
import { fail, lookAfterTasks } from '../../../src/domain/tasks/index.ts'
import { tasks } from '../../../src/domain/tasks/table.ts'
import { rollUpUsage } from '../../../src/domain/usage/index.ts'
import { shiftClock } from '../../../src/process/clock.ts'
import { logsOf } from '../../support/app/logs.ts'
import { setOption } from '../../support/app/options.ts'
import { Client, client, RICH } from '../../support/people/client.ts'
import { visitor } from '../../support/people/person.ts'
import { earnedBy, figures, spendingUser } from '../../support/people/spending-user.ts'
import {
  expectCleanBooks,
  fetched,
  LYRICS_QUOTA,
  MUSIC_QUOTA,
  music,
  refundsOf,
  rowOf,
  rowsOf,
  submitted,
} from '../../support/people/tasks.ts'
import { SUNO_KEY, song, success, sunoUpstream } from '../../support/upstream/suno.ts'
import { closeOthers, sunoChannel } from '../../support/upstream/suno-channel.ts'

const maker = await sunoUpstream()
const channel = await sunoChannel(maker)
const look = () => lookAfterTasks(new AbortController().signal)

beforeEach(() => maker.reset())
afterEach(async () => {
  await expectCleanBooks()
  await closeOthers()
  await setOption('RetryTimes', 0)
  resetCircuits(channel.id)
})

test('a song is charged when it is accepted, watched while it is made, and told when it is finished', async () => {
  const ann = await client()
  const before = await earnedBy(channel.id)
  const id = await submitted(ann)
  expect(id).toMatch(/^task_\w{32}$/)
  expect(maker.submits()).toEqual([{ path: '/suno/submit/MUSIC', key: SUNO_KEY, body: { ...music, mv: 'chirp-v3-0' } }])
  expect(RICH - (await ann.balance())).toBe(MUSIC_QUOTA)
  expect(await fetched(ann, id)).toMatchObject({ task_id: id, action: 'MUSIC', status: 'SUBMITTED', data: null })
  const { upstream_id } = await rowOf(id)
  maker.tells(upstream_id, { status: 'IN_PROGRESS', progress: '35%', start_time: 1_700_000_005 })
  await look()
  expect(await fetched(ann, id)).toMatchObject({ status: 'IN_PROGRESS', progress: '35%', start_time: 1_700_000_005 })
  maker.tells(upstream_id, { status: 'SUCCESS', progress: '100%', finish_time: 1_700_000_090, data: [song()] })
  shiftClock(20)
  await look()
  const done = { status: 'SUCCESS', progress: '100%', fail_reason: '', finish_time: 1_700_000_090, data: [song()] }
  expect(await fetched(ann, id)).toMatchObject(done)
  maker.tells(upstream_id, { status: 'IN_PROGRESS', progress: '40%' })
  shiftClock(300)
  await look()
  expect(await fetched(ann, id)).toMatchObject(done)
  const [entry] = await logsOf(ann.person)
  expect(entry).toMatchObject({ model_name: 'suno_music', quota: MUSIC_QUOTA, channel: channel.id })
  expect(entry.other).toMatchObject({ model_price: 0.1, group_ratio: 1, task: { units: 1 } })
  expect((await earnedBy(channel.id)) - before).toBe(MUSIC_QUOTA)
  expect(maker.complaints).toEqual([])
})

test('lyrics have their own price, and an answer without text is a failure', async () => {
  const ann = await client()
  const id = await submitted(ann, { prompt: 'Verses about rain' }, '/suno/submit/LYRICS')
  expect(RICH - (await ann.balance())).toBe(LYRICS_QUOTA)
  maker.tells((await rowOf(id)).upstream_id, { status: 'SUCCESS', data: { id: 'x', title: 'Rain', text: '' } })
  await look()
  expect(await fetched(ann, id)).toMatchObject({ status: 'FAILURE', fail_reason: 'finished without a result' })
  expect(await ann.balance()).toBe(RICH)
})

test('a failed song is refunded once, to every counter', async () => {
  const who = await spendingUser(10 * MUSIC_QUOTA, MUSIC_QUOTA)
  const ann = new Client(who.person, who.token.key)
  const before = await earnedBy(channel.id)
  const id = await submitted(ann)
  expect(await figures(who)).toMatchObject({
    ...{ quota: 9 * MUSIC_QUOTA, used_quota: MUSIC_QUOTA, token_used: MUSIC_QUOTA, token_remain: 0 },
    ...{ token_status: TokenStatus.exhausted, usage_quota: MUSIC_QUOTA, usage_calls: 1, request_count: 1 },
  })
  maker.tells((await rowOf(id)).upstream_id, { status: 'FAILURE', fail_reason: `banned words at ${SUNO_KEY}` })
  shiftClock(20)
  await Promise.all([look(), look(), look()])
  await look()
  expect(await figures(who)).toMatchObject({
    ...{ quota: 10 * MUSIC_QUOTA, used_quota: 0, token_used: 0, token_remain: MUSIC_QUOTA },
    ...{ token_status: TokenStatus.enabled, usage_quota: 0, usage_calls: 1, request_count: 1 },
  })
  expect(await earnedBy(channel.id)).toBe(before)
  expect(await refundsOf(ann)).toMatchObject([{ delta: MUSIC_QUOTA, reference: id, balance_after: 10 * MUSIC_QUOTA }])
  expect(await fetched(ann, id)).toMatchObject({
    status: 'FAILURE',
    progress: '100%',
    fail_reason: 'banned words at ***',
  })
  expect(await rowOf(id)).toMatchObject({ charged: MUSIC_QUOTA, refunded: MUSIC_QUOTA })
  const [entry] = await logsOf(who.person, 4)
  expect(entry).toMatchObject({ quota: MUSIC_QUOTA, model_name: 'suno_music', channel: channel.id })
  expect(await submitted(ann)).not.toBe(id)
})

test('a refund a day later leaves the roll-ups right', async () => {
  const ann = await client()
  const id = await submitted(ann)
  shiftClock(2 * 86_400)
  await rollUpUsage()
  await setOption('TaskTimeoutMinutes', 1440)
  await look()
  expect(await fetched(ann, id)).toMatchObject({ status: 'FAILURE', fail_reason: 'timeout' })
  await rollUpUsage()
  expect(await ann.balance()).toBe(RICH)
  shiftClock(-2 * 86_400)
})

test('a refused song costs nothing, and its row says why', async () => {
  const ann = await client()
  maker.scripts.submit = answer => answer.json({ code: 'insufficient_credits', message: 'no credits left', data: null })
  const response = await ann.postTo('/suno/submit/music', music)
  expect(response.status).toBe(502)
  expect(await response.json()).toEqual({ code: 'insufficient_credits', message: 'no credits left', data: null })
  expect(await rowsOf(ann)).toMatchObject([
    { status: 'FAILURE', fail_reason: 'no credits left', charged: 0, refunded: 0, outcome_unknown: false },
  ])
  expect(await ann.balance()).toBe(RICH)
  expect(await refundsOf(ann)).toEqual([])
})

test.each([
  [{ code: 'fail', message: 'no credits' }, 502, 'fail', 'no credits'],
  [{ code: 'fail', message: '', data: null }, 502, 'fail', 'fail'],
  [{ code: 500, message: 'boom', data: null }, 502, '500', 'boom'],
  [
    { code: 'invalid_request', message: 'the prompt is not allowed', data: null },
    400,
    'invalid_request',
    'the prompt is not allowed',
  ],
  [{ error: { message: 'no account', code: 'no_account' } }, 502, 'no_account', 'no account'],
  [success({ task_id: 'x', status: 'FAILURE', fail_reason: 'banned words' }), 502, 'upstream_status', 'banned words'],
])(
  'an error inside a 200, %j, is told as %i in the words of the upstream, and costs nothing',
  async (body, status, code, message) => {
    const ann = await client()
    maker.scripts.submit = answer => answer.json(body)
    const response = await ann.postTo('/suno/submit/music', music)
    expect([response.status, await response.json()]).toEqual([status, { code, message, data: null }])
    expect(await rowsOf(ann)).toMatchObject([
      { status: 'FAILURE', fail_reason: message, charged: 0, outcome_unknown: false },
    ])
    expect(await ann.balance()).toBe(RICH)
    resetCircuits(channel.id)
  },
)

test('a song goes to another channel only where nothing was accepted', async () => {
  const ann = await client()
  await sunoChannel({ url: 'http://127.0.0.1:1' }, { priority: 10 })
  await setOption('RetryTimes', 2)
  const id = await submitted(ann)
  expect(await rowOf(id)).toMatchObject({ channel_id: channel.id })
  expect(maker.submits()).toHaveLength(1)
})

test.each([
  ['cuts the connection', (answer: any) => answer.reset()],
  [
    'answers with HTML',
    (answer: any) =>
      answer
        .head(200, { 'content-type': 'text/html' }, 'close')
        .then(() => answer.write('<html>'))
        .then(() => answer.end()),
  ],
  ['names no id', (answer: any) => answer.json(success(''))],
  ['sits behind a proxy that gives up', (answer: any) => answer.json('bad gateway', 502)],
])('a song whose upstream %s is never sent again, and its outcome is unknown', async (_, script) => {
  const ann = await client()
  await setOption('RetryTimes', 3)
  await sunoChannel(maker)
  maker.scripts.submit = script
  const response = await ann.postTo('/suno/submit/music', music)
  expect(response.status).toBe(504)
  expect(((await response.json()) as any).code).toBe('task_outcome_unknown')
  expect(maker.submits()).toHaveLength(1)
  expect(await rowsOf(ann)).toMatchObject([{ status: 'FAILURE', charged: 0, outcome_unknown: true }])
  expect(await ann.balance()).toBe(RICH)
})

test('an id that another task has is not accepted again', async () => {
  const [ann, bob] = [await client(), await client()]
  const id = await submitted(ann)
  const { upstream_id } = await rowOf(id)
  maker.scripts.submit = answer => answer.json(success(upstream_id))
  expect((await bob.postTo('/suno/submit/music', music)).status).toBe(502)
  expect(await rowsOf(bob)).toMatchObject([{ status: 'FAILURE', charged: 0, upstream_id: '' }])
  expect(await bob.balance()).toBe(RICH)
})

test('without a price a song costs 0.1 USD, unless the operator demands one', async () => {
  const ann = await client()
  await setOption('ModelPrice', JSON.stringify({ other: 1 }))
  await submitted(ann)
  expect(RICH - (await ann.balance())).toBe(50_000)
  await setOption('TaskPriceRequired', true)
  expect(await (await ann.postTo('/suno/submit/music', music)).json()).toMatchObject({
    code: 'model_unpriced',
    data: null,
  })
  await setOption('TaskPriceRequired', false)
  await setOption('TaskPrice', JSON.stringify({ suno_music: { unit: 'call', price: 0.0300001 } }))
  await submitted(ann)
  expect(RICH - (await ann.balance())).toBe(50_000 + 15_001)
  await setOption('TaskPrice', '{}')
})

test('pollers and a failing submit that race: one transition, one refund', async () => {
  const ann = await client()
  const ids = await Promise.all(Array.from({ length: 30 }, () => submitted(ann)))
  for (const [at, id] of ids.entries()) {
    const state = at % 3 ? { status: 'FAILURE', fail_reason: 'no' } : { status: 'SUCCESS', data: [song()] }
    maker.tells((await rowOf(id)).upstream_id, state)
  }
  shiftClock(20)
  const failed = ids.map(async id => fail((await rowOf(id)).id, { fail_reason: 'by hand' }))
  await Promise.all([look(), look(), look(), ...failed, look()])
  const rows = await rowsOf(ann)
  const refunded = rows.filter(({ status }) => status === 'FAILURE')
  expect(rows.every(({ status, refunded }) => refunded === (status === 'FAILURE' ? MUSIC_QUOTA : 0))).toBe(true)
  const refunds = await refundsOf(ann)
  expect(refunds.map(({ reference }) => reference).sort()).toEqual(refunded.map(({ task_id }) => task_id).sort())
  expect(await ann.balance()).toBe(RICH - (rows.length - refunded.length) * MUSIC_QUOTA)
})

test('100 songs at once against a balance for seven: seven are accepted', async () => {
  const person = await visitor(1, 7 * MUSIC_QUOTA + 10)
  const { data } = await person.post('/api/token/', { name: 'key', unlimited_quota: true })
  const ann = new Client(person, data.key)
  const answers = await Promise.all(Array.from({ length: 100 }, () => ann.postTo('/suno/submit/music', music)))
  const refused = answers.filter(({ status }) => status === 403)
  expect(answers.length - refused.length).toBe(7)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(7)
  expect(((await refused[0]!.json()) as any).code).toBe('insufficient_user_quota')
  expect(maker.submits()).toHaveLength(7)
  expect(await ann.balance()).toBe(10)
  expect(await rowsOf(ann)).toHaveLength(7)
})

test('a task whose node died before the answer is failed, costs nothing, and its outcome is unknown', async () => {
  const lost = { task_id: 'task_lost', status: 'NOT_START' as const, upstream_id: '', channel_id: 0, key_hash: '' }
  const ann = await client()
  const { id: _, ...row } = await rowOf(await submitted(ann))
  await db
    .insert(tasks)
    .values({ ...row, ...lost, node: 'a-dead-node', charged: 0, charged_time: 0, next_look_ms: null })
  await look()
  expect(await rowOf('task_lost')).toMatchObject({
    ...{ status: 'FAILURE', fail_reason: 'outcome unknown', outcome_unknown: true, charged: 0, refunded: 0 },
  })
  await db.delete(tasks).where(eq(tasks.task_id, 'task_lost'))
})
