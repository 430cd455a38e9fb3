/** Keeps responses for clients who fetch them later: bounded by number and bytes, for each user and in all. */
import { and, asc, eq, gte, inArray, lt, sql } from 'drizzle-orm'
import { isNodeAlive, join, NODE_ID } from '../../cluster/node.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { BACKGROUND_MAX } from '../../contracts/relay.ts'
import { atomic, lock, run } from '../../db/atomic.ts'
import { db } from '../../db/database.ts'
import { dialect } from '../../db/dialect.ts'
import { count } from '../../db/fragments.ts'
import { now } from '../../process/clock.ts'
import type { Json } from '../../pure/json.ts'
import { users } from '../users/table.ts'
import { pack, unpack } from './packed.ts'
import { backgroundEvents as chunks, backgroundResponses as rows } from './table.ts'

export type BackgroundStatus = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled'

/** States of a response that has not ended. */
const open: BackgroundStatus[] = ['queued', 'in_progress']

export interface BackgroundResponse {
  id: string
  status: BackgroundStatus
  hasEnded: boolean
  is_streamed: boolean
  response: Json
  /** No node runs it any more although it has not ended: its process has crashed. */
  isLost(runsHere: boolean): Promise<boolean>
}

interface NewBackgroundResponse {
  id: string
  user_id: number
  is_streamed: boolean
  /** As it begins: queued or in progress. */
  response: Json
}

const DAY_SECONDS = 86_400

/** @throws Refusal 429 when the user, or the installation, keeps as many as it may */
export async function beginBackground({ id, user_id, is_streamed, response }: NewBackgroundResponse) {
  if (dialect === 'postgres') await join()
  const packed = pack(response)
  const created_time = now()
  await atomic(function* (tx) {
    // Calls of one user are counted one after another.
    yield* lock(tx, users, eq(users.id, user_id))
    const size = { responses: count(), bytes: sql<number>`coalesce(sum(${rows.bytes}), 0)` }
    const [own] = yield* run(tx.select(size).from(rows).where(eq(rows.user_id, user_id)))
    const [all] = yield* run(tx.select(size).from(rows))
    const { user, installation } = BACKGROUND_MAX
    const isFull = [own!.responses >= user.responses, Number(own!.bytes) >= user.bytes]
    const isFullForAll = [all!.responses >= installation.responses, Number(all!.bytes) >= installation.bytes]
    if (isFull.includes(true) || isFullForAll.includes(true)) throw new Refusal('relay.background_full', {}, 429)
    yield* run(
      tx.insert(rows).values({
        ...{ id, user_id, is_streamed, created_time, node: NODE_ID, status: response.status as BackgroundStatus },
        ...{ response: packed, bytes: packed.length, expires_time: created_time + DAY_SECONDS },
      }),
    )
  })
}

const isOpen = (id: string) => and(eq(rows.id, id), inArray(rows.status, open))

/**
 * A queued response has its turn. @param response as it is in progress
 * @returns false when it was cancelled or deleted meanwhile, and may not run
 */
export async function startBackground(id: string, response: Json): Promise<boolean> {
  const started = await db
    .update(rows)
    .set({ status: 'in_progress', response: pack(response) })
    .where(and(eq(rows.id, id), eq(rows.status, 'queued')))
    .returning({ id: rows.id })
  return started.length > 0
}

/** @returns those of the ids whose responses were cancelled, deleted or have come to their end */
export async function endedAmong(ids: readonly string[]): Promise<string[]> {
  const found = await db
    .select({ id: rows.id })
    .from(rows)
    .where(and(inArray(rows.id, [...ids]), inArray(rows.status, open)))
  const still = new Set(found.map(({ id }) => id))
  return ids.filter(id => !still.has(id))
}

/** @returns false when the response was cancelled or deleted meanwhile, and nothing more is kept */
export async function keepEvents(id: string, first: number, events: readonly string[]): Promise<boolean> {
  const packed = pack(events)
  return atomic(function* (tx) {
    const [row] = yield* run(
      tx
        .update(rows)
        .set({ bytes: sql`${rows.bytes} + ${packed.length}` })
        .where(isOpen(id))
        .returning({ id: rows.id }),
    )
    if (!row) return false
    yield* run(tx.insert(chunks).values({ response_id: id, first, last: first + events.length - 1, events: packed }))
    return true
  })
}

/** The first end counts: a response that was cancelled stays so. @returns whether this was it */
export async function endBackground(id: string, status: BackgroundStatus, response: Json): Promise<boolean> {
  const packed = pack(response)
  const ended = await db
    .update(rows)
    .set({ status, response: packed, bytes: sql`${rows.bytes} + ${packed.length}` })
    .where(isOpen(id))
    .returning({ id: rows.id })
  return ended.length > 0
}

/** @returns undefined for an id of another user, or one that is not kept any more */
export async function backgroundResponse(id: string, user_id: number): Promise<BackgroundResponse | undefined> {
  const isAlive = gte(rows.expires_time, now())
  const [row] = await db
    .select()
    .from(rows)
    .where(and(eq(rows.id, id), eq(rows.user_id, user_id), isAlive))
  if (!row) return undefined
  const { node, is_streamed } = row
  const status = row.status as BackgroundStatus
  const hasEnded = !open.includes(status)
  return {
    ...{ id, is_streamed, status, hasEnded, response: unpack(row.response) as Json },
    isLost: async runsHere => !hasEnded && !runsHere && (node === NODE_ID || !(await isNodeAlive(node))),
  }
}

/** @returns events with higher sequence numbers than `after`, of one chunk; undefined when none are kept yet */
export async function eventsAfter(id: string, after: number): Promise<{ events: string[]; last: number } | undefined> {
  const [chunk] = await db
    .select()
    .from(chunks)
    .where(and(eq(chunks.response_id, id), gte(chunks.last, after + 1)))
    .orderBy(asc(chunks.first))
    .limit(1)
  if (!chunk) return undefined
  const events = unpack(chunk.events) as string[]
  return { events: events.slice(Math.max(0, after + 1 - chunk.first)), last: chunk.last }
}

export async function deleteBackground(id: string, user_id: number) {
  await db.delete(rows).where(and(eq(rows.id, id), eq(rows.user_id, user_id)))
}

/** Deletes what has been kept for a day. */
export async function pruneBackground() {
  await db.delete(rows).where(lt(rows.expires_time, now()))
}
