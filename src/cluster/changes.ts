/**
 * Changes: a write to what nodes cache tells every node, within its own transaction. This node forgets at the commit;
 * the others read the new rows when Redis says so, and each second.
 */
import { lt, sql } from 'drizzle-orm'
import { onCommit, rawQuery, run, withoutTransaction } from '../db/atomic.ts'
import { db, type Tx } from '../db/database.ts'
import { dialect } from '../db/dialect.ts'
import { now } from '../process/clock.ts'
import { log } from '../process/log.ts'
import { onReset } from '../process/stores.ts'
import { publishChange } from './change-signal.ts'
import { type CacheKey, invalidate, invalidateEverything } from './invalidation.ts'
import { NODE_ID } from './node.ts'
import { changes } from './table.ts'

/** Rows are kept for this long; a node that has not read for half of it forgets everything. */
const KEPT_SECONDS = 3600
const MS_PER_SECOND = 1000

/** What these keys name has changed, or, without keys, all that is cached under the name. On every node. */
export function* announce(tx: Tx, name: string, keys?: readonly CacheKey[]) {
  if (keys?.length === 0) return
  yield* tellOthers(tx, name, keys)
  onCommit(tx, () => {
    if (!keys) invalidate(name)
    else for (const key of keys) invalidate(name, key)
  })
}

/** As `announce`, where this node knows already what has changed. */
export function* tellOthers(tx: Tx, name: string, keys?: readonly CacheKey[]) {
  if (dialect === 'sqlite') return
  const row = { transaction: sql<number>`pg_current_xact_id()::text::bigint`, node: NODE_ID, name, created_time: now() }
  const texts = keys ? keys.map(key => JSON.stringify(key)) : ['']
  yield* run(tx.insert(changes).values(texts.map(key => ({ ...row, key }))))
  onCommit(tx, publishChange)
}

/** As `announce`, for a statement without a transaction here, which has committed the rows of the changes itself. */
export function tellHere(name: string, keys: readonly CacheKey[]) {
  for (const key of keys) invalidate(name, key)
  publishChange()
}

interface Reading {
  /** Id of the oldest transaction that ran at the last reading: of it and of later ones rows may still come. */
  horizon: number
  /** Ids of the rows from there on that were read. */
  read: Set<number>
  /** When, by the monotonic clock. */
  at_ms: number
}

let last: Reading | undefined
let running: Promise<void> | undefined
let isAskedAgain = false
onReset('changes', () => {
  last = running = undefined
  isAskedAgain = false
})

/** Forgets what other nodes have changed since the last reading; the first one only notes where to begin. One at a time. */
export async function readChanges(): Promise<void> {
  if (dialect === 'sqlite') return
  if (running) {
    isAskedAgain = true
    return running
  }
  running = readUntilQuiet().finally(() => {
    running = undefined
  })
  return running
}

async function readUntilQuiet() {
  do {
    isAskedAgain = false
    await readOnce()
  } while (isAskedAgain)
}

interface FoundRow {
  horizon: string
  /** Null where there is no change. */
  id: string | null
  node: string
  name: string
  key: string
}

/** Ids of rows are given before the commit: a row may come after one with a greater id, and never before the horizon. */
async function readOnce() {
  const before = last
  const at_ms = performance.now()
  const rows = await found(before?.horizon)
  const horizon = Number(rows[0]!.horizon)
  const present = rows.filter(({ id }) => id !== null)
  last = { horizon, read: new Set(present.map(({ id }) => Number(id))), at_ms }
  if (!before) return
  if (horizon < before.horizon || at_ms - before.at_ms > (KEPT_SECONDS / 2) * MS_PER_SECOND) {
    log.warn('changes of other nodes were missed; all caches are emptied')
    return invalidateEverything()
  }
  const fresh = present.filter(({ id, node }) => node !== NODE_ID && !before.read.has(Number(id)))
  const once = new Map(fresh.map(({ name, key }) => [`${name} ${key}`, { name, key }]))
  for (const { name, key } of once.values()) invalidate(name, key ? JSON.parse(key) : undefined)
}

/** Seconds since the last reading. @returns undefined before the first */
export const changesLag_seconds = () => last && (performance.now() - last.at_ms) / MS_PER_SECOND

/** In one statement, so that rows and horizon are of one snapshot. @param horizon undefined for the present one */
const found = (horizon: number | undefined) =>
  withoutTransaction(tx =>
    run(
      rawQuery<FoundRow>(
        tx,
        sql`select snapshot.horizon, ${changes.id} as id, ${changes.node} as node, ${changes.name} as name, ${changes.key} as key
          from (select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as horizon) snapshot
          left join ${changes} on ${changes.transaction} >= ${horizon === undefined ? sql`snapshot.horizon` : horizon}
          order by ${changes.id}`,
      ),
    ),
  )

/** Deletes rows that every node has read. */
export const pruneChanges = async () =>
  void (await db.delete(changes).where(lt(changes.created_time, now() - KEPT_SECONDS)))
