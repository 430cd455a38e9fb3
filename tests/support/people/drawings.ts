/** What clients of drawings do. */
import { expect } from 'bun:test'
import { and, desc, eq } from 'drizzle-orm'
import { db } from '../../../src/db/database.ts'
import { lookAfterTasks } from '../../../src/domain/tasks/index.ts'
import { type TaskRow, tasks } from '../../../src/domain/tasks/table.ts'
import { shiftClock } from '../../../src/process/clock.ts'
import { drawn, type MidjourneyUpstream } from '../upstream/midjourney.ts'
import type { Client } from './client.ts'

/** 0.1 USD and 0.05 USD. */
export const DRAWING_QUOTA = 50_000
export const UPSCALE_QUOTA = 25_000

export const PICTURE = 'data:image/png;base64,iVBORw0KGgo='

export async function asked(who: Client, path: string, body: object | string) {
  const response = await who.postTo(path, body)
  return { status: response.status, body: (await response.json()) as any }
}

/** Submits, and answers the id. */
export async function begun(
  who: Client,
  path = '/mj/submit/imagine',
  body: object = { prompt: 'A gate' },
): Promise<string> {
  const { status, body: told } = await asked(who, path, body)
  const { result, ...rest } = told
  expect({ status, rest, kind: typeof result }).toMatchObject({ status: 200, rest: { code: 1 }, kind: 'string' })
  return result
}

export const drawingOf = async (who: Client, id: string): Promise<any> => (await who.get(`/mj/task/${id}/fetch`)).json()

/** The last row under the id. */
export async function drawingRow(who: Client, upstream_id: string): Promise<TaskRow> {
  const isOwned = and(eq(tasks.user_id, who.person.id), eq(tasks.upstream_id, upstream_id))
  const [row] = await db.select().from(tasks).where(isOwned).orderBy(desc(tasks.id))
  return row!
}

/** One round, long after the last. */
export async function lookAround() {
  shiftClock(120)
  await lookAfterTasks(new AbortController().signal)
}

/** A finished drawing of this client. */
export async function finished(who: Client, maker: MidjourneyUpstream, state: object = drawn()): Promise<string> {
  const id = await begun(who)
  maker.tells(id, state)
  await lookAround()
  expect(await drawingOf(who, id)).toMatchObject({ status: 'SUCCESS', progress: '100%' })
  return id
}
