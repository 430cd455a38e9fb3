/** Writes the calls that passed to another gateway, behind their responses, and deletes them after a time. */
import { and, inArray, lt } from 'drizzle-orm'
import { WriteBehind } from '../../cluster/write-behind.ts'
import { SHADOW_KEEP_DAYS } from '../../contracts/shadow.ts'
import { atomic, run } from '../../db/atomic.ts'
import { bulkInsert } from '../../db/bulk-insert.ts'
import { db } from '../../db/database.ts'
import { now } from '../../process/clock.ts'
import { shadowCalls } from './table.ts'

export type ShadowCall = Omit<typeof shadowCalls.$inferSelect, 'id'>
export type ShadowBill = Pick<ShadowCall, 'prompt_tokens' | 'completion_tokens' | 'quota' | 'is_estimated' | 'price'>

const insert = bulkInsert(
  [
    ...['created_at', 'duration_ms', 'key_hash', 'token_id', 'user_id', 'their_id', 'path', 'model', 'group'],
    ...['is_stream', 'status', 'outcome', 'refusal', 'prompt_tokens', 'completion_tokens', 'quota', 'is_estimated'],
    'price',
  ],
  (tx, rows) => tx.insert(shadowCalls).values(rows),
)

/** By the id of the request here. */
const ended = new WriteBehind<string, ShadowCall>('shadow-calls', calls =>
  atomic(function* (tx) {
    yield* run(insert(tx, [...calls.values()]))
  }),
)

/** Written within a second. */
export const recordShadow = (request_id: string, call: ShadowCall) => ended.set(request_id, call)

const DAY_SECONDS = 86_400
const BATCH_ROWS = 1000

export async function pruneShadow(signal: AbortSignal) {
  const isOld = lt(shadowCalls.created_at, now() - SHADOW_KEEP_DAYS * DAY_SECONDS)
  while (!signal.aborted) {
    const ids = db.select({ id: shadowCalls.id }).from(shadowCalls).where(isOld).limit(BATCH_ROWS)
    const pruned = await db
      .delete(shadowCalls)
      .where(and(isOld, inArray(shadowCalls.id, ids)))
      .returning({ id: shadowCalls.id })
    if (pruned.length < BATCH_ROWS) return
    await Bun.sleep(1)
  }
}
