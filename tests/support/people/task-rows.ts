/** Tasks as rows of the table, for lists: none of them was charged by a call. */
import { sql } from 'drizzle-orm'
import { atomic, rawQuery, run } from '../../../src/db/atomic.ts'
import { db } from '../../../src/db/database.ts'
import { type TaskRow, tasks } from '../../../src/domain/tasks/table.ts'
import { now_ms } from '../../../src/process/clock.ts'
import { type Person, visitor } from './person.ts'

let made = 0

type Fields = Partial<typeof tasks.$inferInsert>

/** A finished song unless the fields say otherwise. */
export const taskRow = (person: Pick<Person, 'id'>, fields: Fields = {}): typeof tasks.$inferInsert => ({
  ...{ task_id: `task_${String(++made).padStart(32, '0')}`, platform: 'suno', action: 'MUSIC', model: 'suno_music' },
  ...{ user_id: person.id, token_id: 1, group: 'default', request_id: 'req-1', node: 'node-1', status: 'SUCCESS' },
  ...{ progress: 100, submit_ms: now_ms(), input: { prompt: 'A song' }, deadline_ms: now_ms() + 3_600_000 },
  price_basis: {
    ...{ price: { unit: 'call', price: 0.1 }, choice: { units: 1 }, group_ratio: 1, quota_per_unit: 500_000 },
    price_version: 'v1',
  },
  ...fields,
})

export const drawingRowFor = (person: Pick<Person, 'id'>, fields: Fields = {}) =>
  taskRow(person, {
    ...{ platform: 'midjourney', action: 'IMAGINE', model: 'mj_imagine', upstream_id: `1718-${made}` },
    ...{ input: { prompt: 'A gate', state: 'mine' }, answer: { code: 1 }, ...fields },
  })

export const insertTasks = async (...rows: (typeof tasks.$inferInsert)[]): Promise<TaskRow[]> =>
  db.insert(tasks).values(rows).returning()

const waiting = async (fields: Fields) =>
  (await insertTasks(taskRow(await visitor(), { status: 'QUEUED', ...fields })))[0]!.id

const copied = sql.raw(
  'platform, action, model, user_id, token_id, "group", request_id, node, status, submit_ms, input, price_basis, deadline_ms',
)

/** Twice as many, so many times. */
export async function doubleTasks(times: number) {
  for (let time = 0; time < times; time++) {
    const suffix = sql.raw(`'-${time}'`)
    const double = sql`insert into tasks (task_id, ${copied}) select task_id || ${suffix}, ${copied} from tasks`
    await atomic(tx => run(rawQuery(tx, double)))
  }
}

/** What administrators do with tasks, by route: it leaves an entry in the audit log. */
export const taskWrites = {
  'POST /app/logs/drawing/:id/fail': async (person: Person) =>
    person.form(`/app/logs/drawing/${await waiting({ platform: 'midjourney' })}/fail`),
  'POST /app/logs/tasks/:id/fail': async (person: Person) => person.form(`/app/logs/tasks/${await waiting({})}/fail`),
}

/** They ask an upstream, and change nothing that an operator has set. */
export const taskProbes = ['POST /app/logs/drawing/:id/ask', 'POST /app/logs/tasks/:id/ask']
