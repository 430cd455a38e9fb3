/** Finds, records and forgets what upstreams store. Rows are written with the bill of the call that made them. */
import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { digest } from '../../crypto/sealing.ts'
import { run } from '../../db/atomic.ts'
import { bulkInsert } from '../../db/bulk-insert.ts'
import { db, type Tx } from '../../db/database.ts'
import type { StoredKind } from '../../formats/format.ts'
import { now } from '../../process/clock.ts'
import { storedObjects as rows, type StoredRow } from './table.ts'

export interface NewStoredObject {
  kind: StoredKind
  id: string
  /** Its maker; `NO_MAKER` for one that was made elsewhere. */
  user_id: number
  channel_id: number
  key: string
  tokens: number
  upstream_id?: string
}

/** Stands for the maker of what was made elsewhere. */
export const NO_MAKER = 0
/** Stands for the maker of what was deleted: its id belongs to no user any more. */
const DELETED = -1

const HASH_LENGTH = 32
const BATCH_ROWS = 1000
const DAY_SECONDS = 86_400

/**
 * How long makers keep it, from its last use on where that renews it.
 * https://platform.openai.com/docs/guides/conversation-state (read 2026-11)
 */
const days: Record<StoredKind, number> = {
  response: 30,
  conversation: 365,
  prompt: 365,
  thread: 30,
  cached_content: 30,
}

/** The start of a digest, by which ids and keys are looked up. */
const hashOf = (text: string) => digest(text).slice(0, HASH_LENGTH)

/** Whether an object is held under this key of its channel. */
export const isHeldUnder = ({ key_hash }: Pick<StoredRow, 'key_hash'>, key: string): boolean => key_hash === hashOf(key)

const isObject = (kind: StoredKind, id: string) => and(eq(rows.kind, kind), eq(rows.id_hash, hashOf(id)))

/**
 * @returns undefined for an id that no call here has made or used, or that its upstream no longer keeps; for a deleted one
 * a row of no user
 */
export async function storedObject(kind: StoredKind, id: string): Promise<StoredRow | undefined> {
  const [row] = await db.select().from(rows).where(isObject(kind, id))
  return row && row.expires_time > now() ? row : undefined
}

const columns = [
  ...(['kind', 'id_hash', 'user_id', 'channel_id', 'key_hash', 'upstream_id', 'tokens'] as const),
  ...(['created_time', 'expires_time'] as const),
]

/** An id stays with the user who made it first. */
const upsert = bulkInsert(columns, (tx, objects) =>
  tx
    .insert(rows)
    .values(objects)
    .onConflictDoUpdate({
      target: [rows.kind, rows.id_hash],
      set: Object.fromEntries(
        (['channel_id', 'key_hash', 'upstream_id', 'tokens', 'expires_time'] as const).map(name => [
          name,
          sql.raw(`excluded.${name}`),
        ]),
      ),
      setWhere: sql`${rows.user_id} = excluded.user_id`,
    }),
)

/** Records objects as part of the transaction that bills their calls. */
export function* recordStored(tx: Tx, objects: readonly NewStoredObject[]) {
  if (!objects.length) return
  const created_time = now()
  const byKey = new Map<string, StoredRow>()
  for (const { kind, id, key, upstream_id = '', ...object } of objects) {
    const id_hash = hashOf(id)
    const expires_time = created_time + days[kind] * DAY_SECONDS
    const row = { ...object, kind, id_hash, key_hash: hashOf(key), upstream_id, created_time, expires_time }
    byKey.set(`${kind} ${id_hash}`, row)
  }
  // Every node writes in one order, so that two cannot wait for each other.
  const sorted = [...byKey].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
  yield* run(upsert(tx, sorted))
}

/** A user has deleted it. The row stays: the call that makes it may still run, and records it with its bill. */
export async function forgetStored(kind: StoredKind, id: string) {
  const created_time = now()
  const expires_time = created_time + days[kind] * DAY_SECONDS
  const deleted = { user_id: DELETED, channel_id: 0, key_hash: '', upstream_id: '', tokens: 0 }
  await db
    .insert(rows)
    .values({ ...deleted, kind, id_hash: hashOf(id), created_time, expires_time })
    .onConflictDoUpdate({ target: [rows.kind, rows.id_hash], set: { ...deleted, expires_time } })
}

/** Deletes rows of what upstreams no longer keep. */
export async function pruneStoredObjects(signal: AbortSignal) {
  const expired = lt(rows.expires_time, now())
  while (!signal.aborted) {
    const hashes = db.select({ id_hash: rows.id_hash }).from(rows).where(expired).limit(BATCH_ROWS)
    const pruned = await db
      .delete(rows)
      .where(and(expired, inArray(rows.id_hash, hashes)))
      .returning({ id_hash: rows.id_hash })
    if (pruned.length < BATCH_ROWS) return
    await Bun.sleep(1)
  }
}
