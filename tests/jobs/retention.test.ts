/** Rows at the second at which their retention ends: one of exactly that age stays, and one that is older by one goes. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { ORDER_TTL_SECONDS } from '../../src/contracts/payment.ts'
import { SHADOW_KEEP_DAYS } from '../../src/contracts/shadow.ts'
import { db } from '../../src/db/database.ts'
import { backgroundResponses } from '../../src/domain/background-responses/table.ts'
import { budgets, budgetWindows } from '../../src/domain/budgets/table.ts'
import { orders } from '../../src/domain/payments/table.ts'
import { shadowCalls } from '../../src/domain/shadow/table.ts'
import { storedObjects } from '../../src/domain/stored-objects/table.ts'
import { tasks } from '../../src/domain/tasks/table.ts'
import { settlements } from '../../src/domain/wallet/table.ts'
import { jobs } from '../../src/jobs/jobs.ts'
import { holdClock, now, now_ms } from '../../src/process/clock.ts'
import { setOption } from '../support/app/options.ts'
import { type Person, visitor } from '../support/people/person.ts'
import { insertTasks, taskRow } from '../support/people/task-rows.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let ann: Person
beforeAll(async () => {
  ann = await visitor()
  await setOption('TaskRetentionDays', 7)
  holdClock(true)
})
afterAll(() => holdClock(false))

interface Retained {
  job: string
  what: string
  seconds: number
  /** Adds a row of a moment. */
  add(at: number): Promise<unknown>
  /** Moments of the rows that the job has left. */
  left(): Promise<number[]>
}

const shadowed = {
  ...{ duration_ms: 5, key_hash: '', token_id: 0, user_id: 0, their_id: '', path: '/v1/chat/completions', model: 'm' },
  ...{ group: 'default', is_stream: false, status: 200, outcome: 'finished' as const, refusal: '', prompt_tokens: 1 },
  ...{ completion_tokens: 1, quota: 1, is_estimated: false, price: null },
}
const response = { node: 'n', status: 'completed', is_streamed: false, bytes: 1, response: '' }
const stored = { kind: 'file', user_id: 1, channel_id: 1, key_hash: '', tokens: 0, created_time: 1 }
const order = { method: 'alipay' as const, pid: '1', amount: 1, money_cents: 100, quota: 500_000 }

/** Windows of a budget with this length; 0 for months. */
const windowsOf = (length: number, seconds: number): Retained => {
  let budget_id = 0
  const owner = { owner: 'user' as const, owner_id: 1, name: '', models: [], unit: 'quota' as const, amount: 1 }
  const kind = { window: length ? ('fixed' as const) : ('month' as const), seconds: length, zone: length ? '' : 'UTC' }
  return {
    ...{ job: 'prune-budgets', what: `a window of ${length ? `${length} s` : 'a month'}`, seconds },
    async add(end) {
      if (!budget_id) {
        const row = { ...owner, ...kind, refuses: true, created_time: 1 }
        const [made] = await db.insert(budgets).values(row).returning()
        budget_id = made!.id
      }
      await db.insert(budgetWindows).values({ budget_id, start: end - 1, end })
    },
    left: async () =>
      (await db.select().from(budgetWindows).where(eq(budgetWindows.budget_id, budget_id))).map(({ end }) => end),
  }
}

const retained: Retained[] = [
  {
    ...{ job: 'prune-shadow', what: 'a call in the shadow', seconds: SHADOW_KEEP_DAYS * DAY },
    add: created_at => db.insert(shadowCalls).values({ ...shadowed, created_at }),
    left: async () => (await db.select().from(shadowCalls)).map(({ created_at }) => created_at),
  },
  {
    ...{ job: 'prune-settlements', what: 'a settlement', seconds: DAY },
    add: created_time => db.insert(settlements).values({ request_id: `r${created_time}`, created_time }),
    left: async () => (await db.select().from(settlements)).map(({ created_time }) => created_time),
  },
  {
    ...{ job: 'prune-background-responses', what: 'a kept response', seconds: 0 },
    add: expires_time =>
      db.insert(backgroundResponses).values({
        ...response,
        ...{ id: `r${expires_time}`, user_id: ann.id, created_time: expires_time - DAY, expires_time },
      }),
    left: async () => (await db.select().from(backgroundResponses)).map(({ expires_time }) => expires_time),
  },
  {
    ...{ job: 'prune-stored-objects', what: 'a stored file', seconds: 0 },
    add: expires_time => db.insert(storedObjects).values({ ...stored, id_hash: `h${expires_time}`, expires_time }),
    left: async () => (await db.select().from(storedObjects)).map(({ expires_time }) => expires_time),
  },
  windowsOf(0, 30 * DAY),
  windowsOf(HOUR, 30 * DAY),
  windowsOf(HOUR - 1, DAY),
  {
    ...{ job: 'prune-tasks', what: 'a task', seconds: 7 * DAY },
    add: at => insertTasks(taskRow(ann, { submit_ms: at * 1000 + (now_ms() % 1000) })),
    left: async () => (await db.select().from(tasks)).map(({ submit_ms }) => Math.floor(submit_ms / 1000)),
  },
  {
    ...{ job: 'expire-orders', what: 'an order that is not paid', seconds: ORDER_TTL_SECONDS },
    add: created_time =>
      db.insert(orders).values({ ...order, user_id: ann.id, trade_no: `t${created_time}`, created_time }),
    left: async () =>
      (await db.select().from(orders).where(eq(orders.status, 'pending'))).map(({ created_time }) => created_time),
  },
]

test.each(retained)('$job: $what stays at the last second, and goes in the next', async one => {
  const last = now() - one.seconds
  await one.add(last - 1)
  await one.add(last)
  const { run } = jobs.find(({ name }) => name === one.job)!
  await (run as (signal: AbortSignal) => Promise<void>)(new AbortController().signal)
  expect(await one.left()).toEqual([last])
})
