/** What administrators do with tasks: asking an upstream at once, and failing with a refund. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Role } from '../../../src/contracts/account.ts'
import { db } from '../../../src/db/database.ts'
import { auditLog } from '../../../src/domain/audit-log/table.ts'
import { resetCircuits } from '../../../src/domain/routing/health/breaker.ts'
import { tasks } from '../../../src/domain/tasks/table.ts'
import { type Client, client, RICH } from '../../support/people/client.ts'
import { begun, DRAWING_QUOTA, drawingRow, finished, lookAround } from '../../support/people/drawings.ts'
import { type Person, visitor } from '../../support/people/person.ts'
import { drawingRowFor, insertTasks } from '../../support/people/task-rows.ts'
import { expectCleanBooks, refundsOf } from '../../support/people/tasks.ts'
import { closeOtherDrawings, drawingChannel, drawn, midjourneyUpstream } from '../../support/upstream/midjourney.ts'

const maker = await midjourneyUpstream()
const channel = await drawingChannel(maker)

let [ann, admin] = [] as unknown as [Client, Person]
beforeEach(async () => {
  maker.reset()
  ann = await client()
  admin = await visitor(Role.admin)
  await db.delete(auditLog)
})
afterEach(async () => {
  await expectCleanBooks()
  await closeOtherDrawings()
  resetCircuits(channel.id)
})

async function asked(person: Person, id: number, what: 'ask' | 'fail') {
  const response = await person.form(`/app/logs/drawing/${id}/${what}`)
  const toast = /(?:^|\s)notice=([^;]*)/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? ''
  return { status: response.status, to: response.headers.get('location'), toast: decodeURIComponent(toast) }
}

const taskNow = async (id: number) => (await db.select().from(tasks).where(eq(tasks.id, id)))[0]!

test('failing an unfinished task refunds it once, and is in the audit log', async () => {
  const task = await drawingRow(ann, await begun(ann))
  expect(RICH - (await ann.balance())).toBe(DRAWING_QUOTA)
  const both = await Promise.all([asked(admin, task.id, 'fail'), asked(admin, task.id, 'fail')])
  expect(both.map(({ toast }) => toast.includes('is refunded')).toSorted()).toEqual([false, true])
  expect(await ann.balance()).toBe(RICH)
  expect(await refundsOf(ann)).toMatchObject([{ delta: DRAWING_QUOTA, reference: task.task_id }])
  expect(await taskNow(task.id)).toMatchObject({ status: 'FAILURE', fail_reason: 'failed by an administrator' })
  expect(await db.select().from(auditLog)).toMatchObject([
    {
      ...{ action: 'task.fail', target_kind: 'task', target_id: String(task.id), target_name: task.task_id },
      ...{ actor_id: admin.id, before: { status: 'SUBMITTED' }, after: { status: 'FAILURE', refunded: DRAWING_QUOTA } },
    },
  ])
  maker.tells(task.upstream_id, drawn())
  await lookAround()
  expect(await taskNow(task.id)).toMatchObject({ status: 'FAILURE', refunded: DRAWING_QUOTA })
})

test('a task that has ended keeps its state and its money', async () => {
  const task = await drawingRow(ann, await finished(ann, maker))
  const { toast } = await asked(admin, task.id, 'fail')
  expect(toast).toContain('has ended already')
  expect((await asked(admin, task.id, 'ask')).toast).toContain('has ended already')
  expect(RICH - (await ann.balance())).toBe(DRAWING_QUOTA)
  expect(await db.select().from(auditLog)).toEqual([])
})

test('an upstream is asked at once, even while its channel is left alone', async () => {
  const task = await drawingRow(ann, await begun(ann))
  maker.scripts.list = answer => answer.json({ error: 'down' }, 500)
  await lookAround()
  expect((await asked(admin, task.id, 'ask')).toast).toContain('does not answer')
  maker.scripts.list = undefined
  maker.tells(task.upstream_id, { status: 'IN_PROGRESS', progress: '40%' })
  expect((await asked(admin, task.id, 'ask')).toast).toContain('In progress')
  expect(await taskNow(task.id)).toMatchObject({ status: 'IN_PROGRESS', progress: 40 })
  maker.tells(task.upstream_id, { status: 'FAILURE', failReason: 'banned' })
  expect((await asked(admin, task.id, 'ask')).toast).toContain('Failed')
  expect(await ann.balance()).toBe(RICH)
})

test('a task that was never accepted cannot be asked for, nor one without its channel', async () => {
  const [unsent, orphan] = await insertTasks(
    drawingRowFor(ann.person, { status: 'NOT_START', upstream_id: '' }),
    drawingRowFor(ann.person, { status: 'QUEUED', channel_id: 999_999 }),
  )
  expect((await asked(admin, unsent!.id, 'ask')).toast).toContain('No upstream has accepted')
  expect((await asked(admin, orphan!.id, 'ask')).toast).toContain('is gone')
  expect((await asked(admin, 999_999, 'ask')).status).toBe(404)
  expect((await asked(admin, 999_999, 'fail')).status).toBe(404)
})

test('users neither ask nor fail', async () => {
  const task = await drawingRow(ann, await begun(ann))
  for (const what of ['ask', 'fail'] as const)
    expect(await asked(ann.person, task.id, what)).toMatchObject({ status: 303, to: '/' })
  expect(await taskNow(task.id)).toMatchObject({ status: 'SUBMITTED' })
})
