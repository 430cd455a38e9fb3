/** What clients of tasks do, and what their books must show. */
import { expect } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '../../../src/db/database.ts'
import { auditBills } from '../../../src/domain/pricing/audit-bills.ts'
import { auditCredits } from '../../../src/domain/statement/credits.ts'
import { type TaskRow, tasks } from '../../../src/domain/tasks/table.ts'
import { auditRollUps } from '../../../src/domain/usage/audit.ts'
import { auditWallets } from '../../../src/domain/wallet/audit.ts'
import { ledger } from '../../../src/domain/wallet/table.ts'
import type { Client } from './client.ts'

/** 0.1 USD and 0.01 USD. */
export const MUSIC_QUOTA = 50_000
export const LYRICS_QUOTA = 5_000

export const music = { prompt: 'A song about a toll gate', title: 'Toll', tags: 'folk' }

/** Submits, and answers the id. */
export async function submitted(who: Client, body: object = music, path = '/suno/submit/music'): Promise<string> {
  const response = await who.postTo(path, body)
  const answer: any = await response.json()
  expect({ status: response.status, answer }).toMatchObject({ status: 200, answer: { code: 'success', message: '' } })
  return answer.data
}

export const fetched = async (who: Client, id: string): Promise<any> =>
  ((await (await who.get(`/suno/fetch/${id}`)).json()) as any).data

export async function rowOf(task_id: string): Promise<TaskRow> {
  const [row] = await db.select().from(tasks).where(eq(tasks.task_id, task_id))
  return row!
}

export const rowsOf = (who: Client): Promise<TaskRow[]> =>
  db.select().from(tasks).where(eq(tasks.user_id, who.person.id)).orderBy(tasks.id)

export const refundsOf = async (who: Client) =>
  (await db.select().from(ledger).where(eq(ledger.user_id, who.person.id))).filter(({ kind }) => kind === 'refund')

/** Every balance, credit, roll-up and bill. */
export async function expectCleanBooks() {
  expect((await auditWallets()).difference).toBeUndefined()
  expect((await auditCredits()).difference).toBeUndefined()
  expect(await auditRollUps()).toBeUndefined()
  expect((await auditBills()).difference).toBeUndefined()
}
