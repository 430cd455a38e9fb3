/** Retention of tasks: what they were asked and have made goes first, then their rows; sums stay. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '../../../src/db/database.ts'
import { lookAfterTasks, pruneTasks } from '../../../src/domain/tasks/index.ts'
import { taskHooks, tasks } from '../../../src/domain/tasks/table.ts'
import { shiftClock } from '../../../src/process/clock.ts'
import { resetStores } from '../../../src/process/stores.ts'
import { setOption } from '../../support/app/options.ts'
import { type Client, client, RICH } from '../../support/people/client.ts'
import { setUp } from '../../support/people/person.ts'
import { expectCleanBooks, fetched, MUSIC_QUOTA, rowOf, rowsOf, submitted } from '../../support/people/tasks.ts'
import { song, sunoUpstream } from '../../support/upstream/suno.ts'
import { sunoChannel } from '../../support/upstream/suno-channel.ts'

const maker = await sunoUpstream()
await sunoChannel(maker)
const DAY = 86_400
const prune = () => pruneTasks(new AbortController().signal)
const look = () => lookAfterTasks(new AbortController().signal)

let ann: Client
beforeEach(async () => {
  ann = await client()
  await setOption('TaskTimeoutMinutes', 1_000_000)
})
afterEach(async () => {
  await expectCleanBooks()
  // The session of root ends within these days.
  resetStores('clock')
  for (const name of ['TaskDataRetentionDays', 'TaskRetentionDays']) await setOption(name, 0)
})

/** A finished, a failed and an unfinished song. */
async function threeSongs() {
  const [done, failed, open] = [await submitted(ann), await submitted(ann), await submitted(ann)]
  maker.tells((await rowOf(done)).upstream_id, { status: 'SUCCESS', data: [song()] })
  maker.tells((await rowOf(failed)).upstream_id, { status: 'FAILURE', fail_reason: 'banned words' })
  shiftClock(20)
  await look()
  return { done, failed, open }
}

test('nothing goes while both options are 0', async () => {
  const { done } = await threeSongs()
  shiftClock(400 * DAY)
  await prune()
  expect(await rowsOf(ann)).toHaveLength(3)
  expect(await fetched(ann, done)).toMatchObject({ status: 'SUCCESS', data: [song()] })
})

test('old tasks lose request, answer and result first, and stay in the list with their sums', async () => {
  const { done, failed, open } = await threeSongs()
  await setOption('TaskDataRetentionDays', 7)
  shiftClock(8 * DAY)
  const young = await submitted(ann)
  await prune()
  expect(await rowOf(done)).toMatchObject({ input: {}, answer: null, result: null, charged: MUSIC_QUOTA })
  expect(await rowOf(failed)).toMatchObject({ input: {}, fail_reason: 'banned words', refunded: MUSIC_QUOTA })
  for (const kept of [open, young]) expect((await rowOf(kept)).input).toMatchObject({ title: 'Toll' })
  expect(await fetched(ann, done)).toMatchObject({ task_id: done, status: 'SUCCESS', data: null })
  await prune()
  expect(await rowsOf(ann)).toHaveLength(4)
})

test('older ones are deleted with their hooks; a refund keeps its row as its proof', async () => {
  const { done, failed, open } = await threeSongs()
  await db.insert(taskHooks).values({ task: (await rowOf(done)).id, next_time: 0 })
  await setOption('TaskRetentionDays', 30)
  shiftClock(29 * DAY)
  await prune()
  expect(await rowsOf(ann)).toHaveLength(3)
  shiftClock(2 * DAY)
  await prune()
  expect((await rowsOf(ann)).map(({ task_id }) => task_id)).toEqual([failed, open])
  expect([await db.$count(taskHooks), (await rowOf(failed)).input]).toEqual([0, {}])
  expect(RICH - (await ann.balance())).toBe(2 * MUSIC_QUOTA)
  expect((await ann.get(`/suno/fetch/${done}`)).status).toBe(400)
})

test('more tasks than fit into a batch are pruned in one run', async () => {
  const id = await submitted(ann)
  const { id: _, ...row } = await rowOf(id)
  const ended = { ...row, status: 'SUCCESS' as const, charged: 0, next_look_ms: null, submit_ms: 1 }
  const many = Array.from({ length: 1200 }, (_, at) => ({ ...ended, task_id: `task_${at}`, upstream_id: `old-${at}` }))
  await db.delete(tasks).where(eq(tasks.task_id, id))
  for (let from = 0; from < many.length; from += 200) await db.insert(tasks).values(many.slice(from, from + 200))
  await setOption('TaskRetentionDays', 1)
  // Tasks of the tests above are old then, too: ids follow the order of the submits.
  shiftClock(500 * DAY)
  await prune()
  expect(await rowsOf(ann)).toEqual([])
})

test('an administrator sets the days on the settings page', async () => {
  const root = await setUp()
  const html = await (await root.page('/admin/settings?tab=operation&section=drawing')).text()
  for (const name of ['TaskDataRetentionDays', 'TaskRetentionDays']) {
    expect(html).toContain(`name="${name}"`)
    for (const wrong of ['-1', '0.5', 'never', '36501'])
      expect((await root.put('/api/option/', { key: name, value: wrong })).success).toBe(false)
  }
})
