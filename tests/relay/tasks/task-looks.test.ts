/** Looking after tasks: strange answers, silent upstreams, lost calls, deadlines. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { jobsDone } from '../../../src/cluster/leases.ts'
import { db } from '../../../src/db/database.ts'
import { resetCircuits } from '../../../src/domain/routing/health/breaker.ts'
import { lookAfterTasks } from '../../../src/domain/tasks/index.ts'
import { tasks } from '../../../src/domain/tasks/table.ts'
import { tick } from '../../../src/jobs/schedule.ts'
import { shiftClock } from '../../../src/process/clock.ts'
import { resetStores } from '../../../src/process/stores.ts'
import { type Client, client, RICH } from '../../support/people/client.ts'
import { setUp } from '../../support/people/person.ts'
import { expectCleanBooks, fetched, MUSIC_QUOTA, refundsOf, rowOf, submitted } from '../../support/people/tasks.ts'
import { until } from '../../support/until.ts'
import type { ScriptedAnswer } from '../../support/upstream/http-server.ts'
import { SUNO_KEY, song, success, sunoUpstream } from '../../support/upstream/suno.ts'
import { closeOthers, sunoChannel } from '../../support/upstream/suno-channel.ts'

const maker = await sunoUpstream()
const channel = await sunoChannel(maker)
const MINUTE = 60
const DAY = 86_400

/** One round, as long after the last one as the oldest tasks are left alone. */
async function look(seconds = 2 * MINUTE) {
  shiftClock(seconds)
  await lookAfterTasks(new AbortController().signal)
}

let ann: Client
let id: string
let upstream_id: string
beforeEach(async () => {
  maker.reset()
  ann = await client()
  id = await submitted(ann)
  upstream_id = (await rowOf(id)).upstream_id
  maker.calls.length = 0
})
afterEach(async () => {
  await expectCleanBooks()
  resetCircuits(channel.id)
  await db.update(tasks).set({ next_look_ms: null })
  resetStores()
  await closeOthers()
})

const isUntouched = async () => {
  expect(await fetched(ann, id)).toMatchObject({ status: 'SUBMITTED', fail_reason: '' })
  expect(RICH - (await ann.balance())).toBe(MUSIC_QUOTA)
}
const isRefunded = async (fail_reason: string) => {
  expect(await fetched(ann, id)).toMatchObject({ status: 'FAILURE', progress: '100%', fail_reason })
  expect(await ann.balance()).toBe(RICH)
  expect(await refundsOf(ann)).toMatchObject([{ delta: MUSIC_QUOTA, reference: id }])
}

test('a round that an upstream draws out is followed by the next one at once', async () => {
  const released = Promise.withResolvers<void>()
  maker.scripts.fetch = async (answer, call) => {
    await released.promise
    await answer.json(success(call.body.ids.map((one: string) => maker.tasks.get(one))))
  }
  shiftClock(2 * MINUTE)
  await tick()
  await until(() => maker.calls.length === 1)
  const other = (await rowOf(await submitted(ann))).upstream_id
  shiftClock(16)
  await tick()
  released.resolve()
  await jobsDone()
  shiftClock(2)
  await tick()
  await until(() => maker.calls.some(({ body }) => body.ids?.includes(other)))
  await jobsDone()
})

test('the job asks once for many tasks of a channel', async () => {
  const others = [await submitted(ann), await submitted(ann)]
  maker.calls.length = 0
  shiftClock(MINUTE)
  await tick()
  await until(async () => maker.calls.length > 0)
  const ids = await Promise.all([id, ...others].map(async one => (await rowOf(one)).upstream_id))
  expect(maker.calls).toMatchObject([{ path: '/suno/fetch', key: SUNO_KEY, body: { ids } }])
})

test.each([408, 409, 425, 429, 500, 502, 503])('status %i leaves a task as it is', async status => {
  maker.scripts.fetch = answer => answer.json({ code: 'busy', message: 'later', data: null }, status)
  for (let round = 0; round < 4; round++) await look(10 * MINUTE)
  await isUntouched()
})

test.each([
  ['HTML', (answer: any) => answer.head(200, { 'content-type': 'text/html' }, 6).then(() => answer.write('<html>'))],
  ['an error in a 200', (answer: any) => answer.json({ code: 'oops', message: 'no', data: null })],
  ['an object in place of the list', (answer: any) => answer.json(success({ a: 1 }))],
  ['a broken connection', (answer: any) => answer.reset()],
])('%s leaves a task as it is', async (_, script) => {
  maker.scripts.fetch = script
  for (let round = 0; round < 4; round++) await look(10 * MINUTE)
  await isUntouched()
})

test('a channel that errs is left alone for longer and longer', async () => {
  maker.scripts.fetch = async answer => {
    // What two rounds ask at the same time counts once.
    await until(() => maker.calls.length % 2 === 0)
    await answer.json({}, 500)
  }
  for (let round = 0; round < 20; round++) await Promise.all([look(15), look(0)])
  expect(maker.calls.length).toBe(10)
})

test('a task that the upstream does not know is failed at the third time in a row', async () => {
  const known = maker.tasks.get(upstream_id)!
  maker.tasks.delete(upstream_id)
  await look()
  await look()
  await isUntouched()
  maker.tasks.set(upstream_id, known)
  await look()
  maker.tasks.delete(upstream_id)
  await look()
  await look()
  await isUntouched()
  await look()
  await isRefunded('the upstream does not know the task any more')
})

test('a strange answer harms one task', async () => {
  const [strange, good] = [id, await submitted(ann)]
  const [of_strange, of_good] = [upstream_id, (await rowOf(good)).upstream_id]
  const told = { task_id: of_good, status: 'SUCCESS', data: [song()], finish_time: 1_700_000_090_000 }
  const odd = { task_id: of_strange, status: 'DANCING', progress: {}, start_time: 'soon', fail_reason: 7 }
  const foreign = { task_id: 'upstream-of-another', status: 'FAILURE', fail_reason: 'not ours' }
  maker.scripts.fetch = answer => answer.json(success([null, 7, 'text', odd, foreign, told]))
  await look()
  expect(await fetched(ann, strange)).toMatchObject({ status: 'SUBMITTED', progress: '10%' })
  expect(await fetched(ann, good)).toMatchObject({ status: 'SUCCESS', finish_time: 1_700_000_090 })
})

test('a task never goes back, and its progress stays below a hundred until it has ended', async () => {
  maker.tells(upstream_id, { status: 'IN_PROGRESS', progress: '101%' })
  await look()
  expect(await fetched(ann, id)).toMatchObject({ status: 'IN_PROGRESS', progress: '99%' })
  maker.tells(upstream_id, { status: 'QUEUED', progress: '0%' })
  await look()
  expect(await fetched(ann, id)).toMatchObject({ status: 'IN_PROGRESS', progress: '99%' })
})

test('a song without a file is failed and refunded', async () => {
  maker.tells(upstream_id, { status: 'SUCCESS', data: [{ ...song(), audio_url: '' }] })
  await look()
  await isRefunded('finished without a result')
})

test('at its deadline a task is asked for once more: what has ended by then counts', async () => {
  maker.tells(upstream_id, { status: 'SUCCESS', data: [song()] })
  await look(DAY + 1)
  expect(await fetched(ann, id)).toMatchObject({ status: 'SUCCESS' })
  expect(await refundsOf(ann)).toEqual([])
})

const busy = (answer: ScriptedAnswer) => answer.json({}, 500)

test.each([
  ['still runs', () => maker.tells(upstream_id, { status: 'IN_PROGRESS', progress: '50%' })],
  ['is unknown', () => maker.tasks.delete(upstream_id)],
  ['cannot be asked for', () => Object.assign(maker.scripts, { fetch: busy })],
])('at its deadline a task that %s is failed and refunded once, and nothing later moves money', async (_, change) => {
  change()
  await look(DAY + 1)
  await isRefunded('timeout')
  maker.reset()
  if (maker.tasks.has(upstream_id)) maker.tells(upstream_id, { status: 'SUCCESS', data: [song()] })
  await look(10 * MINUTE)
  await isRefunded('timeout')
})

test('a task of a disabled channel is still asked for, and one whose key is gone is refunded', async () => {
  const root = await setUp()
  const other = await sunoChannel(maker, { priority: 10 })
  id = await submitted(ann)
  upstream_id = (await rowOf(id)).upstream_id
  expect((await rowOf(id)).channel_id).toBe(other.id)
  await root.put('/api/channel/', { id: other.id, status: 2 })
  maker.tells(upstream_id, { status: 'IN_PROGRESS', progress: '40%' })
  await look()
  expect(await fetched(ann, id)).toMatchObject({ status: 'IN_PROGRESS' })
  await root.delete(`/api/channel/${other.id}`)
  await look()
  expect(await fetched(ann, id)).toMatchObject({ status: 'FAILURE' })
  expect(await refundsOf(ann)).toMatchObject([{ delta: MUSIC_QUOTA, reference: id }])
})

test('a task that is being submitted is left alone, however long that takes', async () => {
  const gate = Promise.withResolvers<void>()
  maker.scripts.submit = async answer => {
    await gate.promise
    await answer.json(success(maker.begin()))
  }
  const slow = submitted(ann)
  await until(async () => maker.submits().length > 0)
  await look()
  gate.resolve()
  expect(await fetched(ann, await slow)).toMatchObject({ status: 'SUBMITTED' })
})

test('a song that is accepted after its node was taken for dead keeps its failure, and is not charged', async () => {
  const gate = Promise.withResolvers<void>()
  maker.scripts.submit = async answer => {
    await gate.promise
    await answer.json(success(maker.begin()))
  }
  const late = ann.postTo('/suno/submit/music', { prompt: 'x' })
  await until(async () => maker.submits().length > 0)
  const [row] = await db.select().from(tasks).where(eq(tasks.status, 'NOT_START'))
  const { fail } = await import('../../../src/domain/tasks/finish.ts')
  await fail(row!.id, { fail_reason: 'outcome unknown', outcome_unknown: true })
  gate.resolve()
  expect((await late).status).toBe(502)
  const after = await rowOf(row!.task_id)
  expect(after).toMatchObject({ status: 'FAILURE', fail_reason: 'outcome unknown', charged: 0 })
  expect(after.upstream_id).toMatch(/^upstream-/)
  expect(RICH - (await ann.balance())).toBe(MUSIC_QUOTA)
})
