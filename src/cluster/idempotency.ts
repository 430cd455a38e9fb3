/** A request that is repeated, with its `Idempotency-Key` or as the same form, is answered as before and moves nothing again. */
import { and, eq, inArray, lt } from 'drizzle-orm'
import { Refusal } from '../contracts/refusal.ts'
import { digest } from '../crypto/sealing.ts'
import { run, type Work } from '../db/atomic.ts'
import { db, type Tx } from '../db/database.ts'
import { now } from '../process/clock.ts'
import { idempotencyKeys as rows } from './table.ts'

/** A form as it was filled in: its digest, with the id that it was rendered with. */
export interface FormKey {
  form: string
}

/** The header, or the form. */
export type RepeatKey = string | FormKey

export interface IdempotentRequest {
  user_id: number
  /** For example `pay`. */
  action: string
  /** Undefined runs the act every time. */
  key: RepeatKey | undefined
  /** What was asked for. */
  body: unknown
}

/** The action of forms: their digests differ as the forms do. */
const FORM = 'form'

export const IDEMPOTENCY_TTL_SECONDS = 24 * 3600
const BATCH_ROWS = 1000

/**
 * Runs an act once per key, in the transaction of the act: a failed act leaves no key and can be repeated. Holds over all
 * nodes, and over the end of one.
 * @returns what the act returns, or for a repetition the JSON copy of what it returned first
 * @throws Refusal 422 `error.idempotency_key_reused` for another body under the key
 */
export function* oncePerKey<T>(
  tx: Tx,
  { user_id, action: named, key: repeat, body }: IdempotentRequest,
  act: Work<T>,
): ReturnType<Work<T>> {
  if (repeat === undefined) return yield* act(tx)
  const [action, key] = typeof repeat === 'string' ? [named, repeat] : [FORM, repeat.form]
  const body_hash = typeof repeat === 'string' ? digest(JSON.stringify(body)) : ''
  const claim = { user_id, action, key, body_hash, answer: '', created_time: now() }
  // PostgreSQL: a second request with the key waits here until the first has committed.
  const [claimed] = yield* run(tx.insert(rows).values(claim).onConflictDoNothing().returning({ key: rows.key }))
  const isKey = and(eq(rows.user_id, user_id), eq(rows.action, action), eq(rows.key, key))
  if (!claimed) {
    const [first] = yield* run(tx.select().from(rows).where(isKey))
    if (first?.body_hash !== body_hash) throw new Refusal('error.idempotency_key_reused', {}, 422)
    return JSON.parse(first.answer) as T
  }
  const result = yield* act(tx)
  yield* run(
    tx
      .update(rows)
      .set({ answer: JSON.stringify(result) })
      .where(isKey),
  )
  return result
}

/** What the form was answered when it was sent first: JSON text. @returns undefined when it has not succeeded */
export async function answerOfForm(user_id: number, { form }: FormKey): Promise<string | undefined> {
  const isForm = and(eq(rows.user_id, user_id), eq(rows.action, FORM), eq(rows.key, form))
  const [row] = await db.select({ answer: rows.answer }).from(rows).where(isForm)
  return row?.answer
}

/** Deletes keys that are older than a day. */
export async function pruneIdempotencyKeys() {
  const old = lt(rows.created_time, now() - IDEMPOTENCY_TTL_SECONDS)
  for (;;) {
    const keys = db.select({ key: rows.key }).from(rows).where(old).limit(BATCH_ROWS)
    const pruned = await db
      .delete(rows)
      .where(and(old, inArray(rows.key, keys)))
      .returning({ key: rows.key })
    if (pruned.length < BATCH_ROWS) return
    await Bun.sleep(1)
  }
}
