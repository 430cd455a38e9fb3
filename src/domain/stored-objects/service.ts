/** Finds, records and forgets what upstreams store. Rows are written with the bill of the call that made them. */
import { and, gt, inArray, lt, sql } from 'drizzle-orm'
import { digest } from '../../crypto/sealing.ts'
import { atomic, run } from '../../db/atomic.ts'
import { bulkInsert } from '../../db/bulk-insert.ts'
import { db, type Tx } from '../../db/database.ts'
import type { StoredKind } from '../../formats/stored-places.ts'
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
  /** Of what is together as long as `tokens`, such as the items of one response. */
  group?: string
}

/** Stands for the maker of what was made elsewhere. */
export const NO_MAKER = 0
/** Stands for the maker of what was deleted: its id belongs to no user any more. */
const DELETED = -1

const HASH_LENGTH = 32
const BATCH_ROWS = 1000
/** Ids that one query looks up. */
const LOOKUP_MAX = 500
const HOUR_SECONDS = 3600
const DAY_SECONDS = 24 * HOUR_SECONDS

/**
 * How long makers keep it, from its last use on where that renews it; what lasts until it is deleted counts as unused
 * after a year. OpenAI drops containers after 20 idle minutes, and says so itself.
 * https://platform.openai.com/docs/guides/conversation-state,
 * https://platform.openai.com/docs/guides/audio and
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/code-execution-tool (read 2026-11)
 */
const seconds: Record<StoredKind, number> = {
  response: 30 * DAY_SECONDS,
  item: 30 * DAY_SECONDS,
  thread: 30 * DAY_SECONDS,
  cached_content: 30 * DAY_SECONDS,
  container: 30 * DAY_SECONDS,
  audio: HOUR_SECONDS,
  conversation: 365 * DAY_SECONDS,
  prompt: 365 * DAY_SECONDS,
  file: 365 * DAY_SECONDS,
  vector_store: 365 * DAY_SECONDS,
  skill: 365 * DAY_SECONDS,
  voice: 365 * DAY_SECONDS,
  tunnel: 365 * DAY_SECONDS,
}

/** The start of a digest, by which ids and keys are looked up. */
const hashOf = (text: string) => digest(text).slice(0, HASH_LENGTH)

/** Whether an object is held under this key of its channel. */
export const isHeldUnder = ({ key_hash }: Pick<StoredRow, 'key_hash'>, key: string): boolean => key_hash === hashOf(key)

export interface StoredId {
  kind: StoredKind
  id: string
}

/**
 * @returns the rows in the order of the ids: undefined for an id that no call here has made or used, or that its upstream
 * no longer keeps; for a deleted one a row of no user
 */
export async function storedObjects(ids: readonly StoredId[]): Promise<(StoredRow | undefined)[]> {
  const hashes = ids.map(({ id }) => hashOf(id))
  const found = new Map<string, StoredRow>()
  for (let from = 0; from < hashes.length; from += LOOKUP_MAX) {
    const some = hashes.slice(from, from + LOOKUP_MAX)
    const kinds = [...new Set(ids.slice(from, from + LOOKUP_MAX).map(({ kind }) => kind))]
    const held = and(inArray(rows.kind, kinds), inArray(rows.id_hash, some), gt(rows.expires_time, now()))
    for (const row of await db.select().from(rows).where(held)) found.set(`${row.kind} ${row.id_hash}`, row)
  }
  return ids.map(({ kind }, at) => found.get(`${kind} ${hashes[at]}`))
}

export const storedObject = async (kind: StoredKind, id: string): Promise<StoredRow | undefined> =>
  (await storedObjects([{ kind, id }]))[0]

const columns = [
  ...(['kind', 'id_hash', 'user_id', 'channel_id', 'key_hash', 'upstream_id', 'tokens', 'group_hash'] as const),
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
        (['channel_id', 'key_hash', 'upstream_id', 'tokens', 'group_hash', 'expires_time'] as const).map(name => [
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
  for (const { kind, id, key, upstream_id = '', group, ...object } of objects) {
    const id_hash = hashOf(id)
    const expires_time = created_time + seconds[kind]
    const group_hash = group === undefined ? '' : hashOf(group)
    const row = { ...object, kind, id_hash, key_hash: hashOf(key), upstream_id, group_hash, created_time, expires_time }
    byKey.set(`${kind} ${id_hash}`, row)
  }
  // Every node writes in one order, so that two cannot wait for each other.
  const sorted = [...byKey].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
  yield* run(upsert(tx, sorted))
}

/** Records what no bill belongs to, such as items that a list of the upstream names. */
export const recordListed = (objects: readonly NewStoredObject[]) => atomic(tx => recordStored(tx, objects))

/** A user has deleted it. The row stays: the call that makes it may still run, and records it with its bill. */
export async function forgetStored(kind: StoredKind, id: string) {
  const created_time = now()
  const expires_time = created_time + seconds[kind]
  const deleted = { user_id: DELETED, channel_id: 0, key_hash: '', upstream_id: '', tokens: 0, group_hash: '' }
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
