/** Finds, records and forgets what upstreams store. Rows are written with the bill of the call that made them. */
import { and, eq, gt, inArray, lt, sql } from 'drizzle-orm'
import { digest } from '../../crypto/sealing.ts'
import { atomic, run } from '../../db/atomic.ts'
import { bulkInsert } from '../../db/bulk-insert.ts'
import { db, type Tx } from '../../db/database.ts'
import type { StoredKind } from '../../formats/stored-places.ts'
import { now } from '../../process/clock.ts'
import { storedItems as items, storedObjects as rows, type StoredRow } from './table.ts'

export interface NewStoredObject {
  kind: StoredKind
  id: string
  /** Its maker; `NO_MAKER` for one that was made elsewhere. */
  user_id: number
  channel_id: number
  key: string
  tokens: number
  upstream_id?: string
  /** Of what is together as long as `tokens`. */
  group?: string
  /** Of an item: the response whose user, channel and key are its own. */
  response_id?: string
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

const ITEM_DIGITS = 13
const itemHash = (id: string) => Number.parseInt(digest(id).slice(0, ITEM_DIGITS), 16)

/** The same for texts that a group of calls repeats. */
function repeatedHashes(): (text: string) => string {
  const known = new Map<string, string>()
  return text => {
    const hash = known.get(text) ?? hashOf(text)
    known.set(text, hash)
    return hash
  }
}

/** The hash under which a key of a channel is stored with what it has made. */
export const keyHashOf = hashOf

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
  const found = new Map<string, StoredRow>()
  for (let from = 0; from < ids.length; from += LOOKUP_MAX) {
    const some = ids.slice(from, from + LOOKUP_MAX)
    const kinds = [...new Set(some.map(({ kind }) => kind))]
    const hashes = some.map(({ id }) => hashOf(id))
    const held = and(inArray(rows.kind, kinds), inArray(rows.id_hash, hashes), gt(rows.expires_time, now()))
    for (const row of await db.select().from(rows).where(held)) found.set(`${row.kind} ${row.id_hash}`, row)
  }
  const ofResponses = await itemsOfResponses(ids.filter(({ kind }) => kind === 'item'))
  return ids.map(({ kind, id }) => {
    const item = kind === 'item' ? ofResponses.get(itemHash(id)) : undefined
    return item ?? found.get(`${kind} ${hashOf(id)}`)
  })
}

/** @returns by the hash of the item the row of its response, which is as long as its items */
async function itemsOfResponses(ids: readonly StoredId[]): Promise<Map<number, StoredRow>> {
  const found = new Map<number, StoredRow>()
  for (let from = 0; from < ids.length; from += LOOKUP_MAX) {
    const hashes = ids.slice(from, from + LOOKUP_MAX).map(({ id }) => itemHash(id))
    const joined = await db
      .select({ item: items, response: rows })
      .from(items)
      .innerJoin(rows, and(eq(rows.kind, 'response'), eq(rows.id_hash, items.response_hash)))
      .where(and(inArray(items.id_hash, hashes), gt(rows.expires_time, now())))
    for (const { item, response } of joined)
      found.set(item.id_hash, { ...response, upstream_id: '', tokens: item.tokens, group_hash: item.response_hash })
  }
  return found
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

const insertItems = bulkInsert(['id_hash', 'response_hash', 'tokens'], (tx, objects) =>
  tx.insert(items).values(objects).onConflictDoNothing(),
)

/** Records objects as part of the transaction that bills their calls. */
export function* recordStored(tx: Tx, objects: readonly NewStoredObject[]) {
  if (!objects.length) return
  const { objects: sorted, items } = storedRowsOf(objects)
  yield* run(upsert(tx, sorted))
  if (items.length) yield* run(insertItems(tx, items))
}

/**
 * The rows of objects, in the order in which every node writes them, so that two cannot wait for each other.
 * @param place of its call, which the rows keep
 */
export function storedRowsOf(made: readonly (NewStoredObject & { place?: number })[]) {
  const created_time = now()
  const repeated = repeatedHashes()
  const byKey = new Map<string, StoredRow & { place?: number }>()
  const items: { id_hash: number; response_hash: string; tokens: number; place?: number }[] = []
  for (const { kind, id, key, upstream_id = '', group, response_id, ...object } of made) {
    if (response_id !== undefined) {
      const { tokens, place } = object
      items.push({ id_hash: itemHash(id), response_hash: repeated(response_id), tokens, place })
      continue
    }
    const id_hash = hashOf(id)
    const expires_time = created_time + seconds[kind]
    const group_hash = group === undefined ? '' : repeated(group)
    const row = {
      ...object,
      kind,
      id_hash,
      key_hash: repeated(key),
      upstream_id,
      group_hash,
      created_time,
      expires_time,
    }
    byKey.set(`${kind} ${id_hash}`, row)
  }
  const objects = [...byKey].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
  return { objects, items: items.sort((one, other) => one.id_hash - other.id_hash) }
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

/** Deletes the items whose response is gone, in the order of their hashes. */
export async function pruneStoredItems(signal: AbortSignal) {
  const isResponse = and(eq(rows.kind, 'response'), eq(rows.id_hash, items.response_hash))
  for (let after = -1; !signal.aborted; ) {
    const batch = await db
      .select({ id_hash: items.id_hash, response: rows.id_hash })
      .from(items)
      .leftJoin(rows, isResponse)
      .where(gt(items.id_hash, after))
      .orderBy(items.id_hash)
      .limit(BATCH_ROWS)
    const orphans = batch.flatMap(({ id_hash, response }) => (response === null ? [id_hash] : []))
    if (orphans.length) await db.delete(items).where(inArray(items.id_hash, orphans))
    if (batch.length < BATCH_ROWS) return
    after = batch.at(-1)!.id_hash
    await Bun.sleep(1)
  }
}
