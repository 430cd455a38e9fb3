/** What a node says of itself in its row, and which nodes stand in the way of a migration. */
import { sql } from 'drizzle-orm'
import { rawQuery, run, withoutTransaction } from '../db/atomic.ts'
import { db } from '../db/database.ts'
import { dialect } from '../db/dialect.ts'
import { isBlank, SCHEMA } from '../db/migrate.ts'
import { clockCorrection, correctClock, machine_ms, stopwatch } from '../process/clock.ts'
import { log } from '../process/log.ts'
import { onReset } from '../process/stores.ts'
import { VERSION } from '../pure/version.ts'
import { databaseTime, leaseStart, NODE_ID } from './node.ts'
import { stateHere } from './node-state.ts'
import { nodes } from './table.ts'

/** A node whose clock is further off than this goes by the database's: expiry, codes and intervals are those of all nodes. */
const CLOCK_OFFSET_MAX_MS = 2000

let isOff = false
onReset('joining', () => {
  isOff = false
})

/** Writes release, schema and clock of this node into its row, as a heartbeat does. SQLite has one process and no rows. */
export async function describeNode() {
  if (dialect === 'sqlite') return
  const about = {
    ...{ version: VERSION, schema: SCHEMA, clock_offset_ms: await clockOffset() },
    state: JSON.stringify(await stateHere()),
  }
  const row = { id: NODE_ID, seen_time: databaseTime, ...about }
  await db.insert(nodes).values(row).onConflictDoUpdate({ target: nodes.id, set: row })
}

/**
 * How many milliseconds this machine's clock is before the database's. What the answer took is no offset: half of it is
 * the most by which the figure can be wrong. Warns once each time that the clock goes wrong, and corrects it here.
 */
async function clockOffset(): Promise<number> {
  const read = stopwatch()
  const [row] = await withoutTransaction(tx =>
    run(rawQuery<{ ms: string }>(tx, sql`select (extract(epoch from clock_timestamp()) * 1000)::bigint::text as ms`)),
  )
  const error_ms = read() / 2
  const offset_ms = Math.round(machine_ms() - error_ms - Number(row!.ms))
  const isWrong = (ms: number) => Math.abs(ms) - error_ms > CLOCK_OFFSET_MAX_MS
  // Smaller differences between two looks are those of the network.
  if (isWrong(offset_ms + clockCorrection())) correctClock(isWrong(offset_ms) ? offset_ms : 0)
  const wasOff = isOff
  isOff = isWrong(offset_ms)
  const seconds = Math.round(offset_ms / 1000)
  if (isOff && !wasOff)
    log.warn("this machine's clock differs from the database's: set it by NTP", { offset_seconds: seconds })
  if (wasOff && !isOff) log.info("this machine's clock agrees with the database's")
  return offset_ms
}

export interface OlderNode {
  version: string
  schema: string
}

/**
 * A living node whose program cannot run on a schema that is compatible since this migration. Nodes from before the
 * column say nothing of themselves.
 */
export async function nodeOlderThan(compatible_since: string): Promise<OlderNode | undefined> {
  if (dialect === 'sqlite' || (await isBlank())) return undefined
  const [found] = await withoutTransaction(tx =>
    run(
      rawQuery<OlderNode>(
        tx,
        sql`select about ->> 'version' as version, about ->> 'schema' as schema
          from (select ${nodes.seen_time}, to_jsonb(nodes) as about from ${nodes}) nodes
          where seen_time >= ${leaseStart} and about ->> 'schema' <> '' and about ->> 'schema' < ${compatible_since}
          limit 1`,
      ),
    ),
  )
  return found
}
