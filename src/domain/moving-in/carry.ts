/** Carries the rows of a noun: in batches, each with the note of where its rows went, in one transaction. */
import { sql, type Table } from 'drizzle-orm'
import type { MovedNoun } from '../../contracts/moving-in.ts'
import { atomic, rawQuery, run, type Work } from '../../db/atomic.ts'
import { db, type Tx } from '../../db/database.ts'
import { dialect } from '../../db/dialect.ts'
import type { ForeignRow } from '../../db/foreign/foreign-database.ts'
import { loadIds, type Move } from './move.ts'
import { whole } from './row.ts'
import { movedRows } from './table.ts'

export interface Entry<Row> {
  source_id: number
  /** See `movedRows`. */
  mark?: string
  row: Row & { id?: number }
}

interface Noun<Row> {
  noun: MovedNoun
  /** Has ids of its own; absent for rows that are found by their user. */
  table?: Table
  batches: AsyncIterable<ForeignRow[]>
  /** The rows of a batch that are carried. Those of earlier runs are not among `rows`. */
  read(rows: ForeignRow[]): Entry<Row>[] | Promise<Entry<Row>[]>
  /** @returns the ids of the rows, in their order */
  write(tx: Tx, entries: Entry<Row>[]): ReturnType<Work<number[]>>
  /** Sees the rows of earlier runs. */
  before?(row: ForeignRow): void
}

/** Rows of one transaction: a statement of either engine takes the values of as many. */
const CHUNK_ROWS = 500

export async function carryAll<Row>(move: Move, noun: Noun<Row>) {
  const counts = move.report.counts[noun.noun]
  const ids = move.ids[noun.noun]
  await loadIds(move, noun.noun)
  const taken = move.keepsIds && noun.table ? await takenIds(noun.table) : undefined
  // Ids of the other installation that are taken here: they get new ones when the highest of all is known.
  const late: Entry<Row>[] = []
  for await (const batch of noun.batches) {
    counts.found += batch.length
    const isKnown = (row: ForeignRow) => ids.has(whole(row.id))
    const known = batch.filter(isKnown)
    counts.before += known.length
    if (noun.before) known.forEach(noun.before)
    const entries = await noun.read(batch.filter(row => !isKnown(row)))
    const now = entries.filter(({ source_id }) => !taken?.has(source_id))
    late.push(...entries.filter(({ source_id }) => taken?.has(source_id)))
    await carry(move, noun, taken ? now.map(withOwnId) : now)
  }
  if (taken && !move.isDry) await raiseSequence(noun.table!)
  await carry(move, noun, late)
}

const withOwnId = <Row>(entry: Entry<Row>): Entry<Row> => ({ ...entry, row: { ...entry.row, id: entry.source_id } })

async function carry<Row>(move: Move, { noun, write }: Noun<Row>, entries: Entry<Row>[]) {
  const ids = move.ids[noun]
  const { source } = move
  for (let at = 0; at < entries.length; at += CHUNK_ROWS) {
    const chunk = entries.slice(at, at + CHUNK_ROWS)
    const targets = move.isDry
      ? chunk.map(({ source_id }) => source_id)
      : await atomic(function* (tx) {
          const made = yield* write(tx, chunk)
          const rows = chunk.map(({ source_id, mark = '' }, index) => ({
            ...{ source, noun, source_id, target_id: made[index]!, mark },
          }))
          yield* run(tx.insert(movedRows).values(rows))
          return made
        })
    for (const [index, { source_id }] of chunk.entries()) ids.set(source_id, targets[index]!)
    move.report.counts[noun].carried += chunk.length
  }
}

async function takenIds(table: Table): Promise<Set<number>> {
  const rows = await db.select({ id: sql<number>`id`.mapWith(Number) }).from(table as never)
  return new Set((rows as { id: number }[]).map(({ id }) => id))
}

/** PostgreSQL counts ids apart from those that were given. */
async function raiseSequence(table: Table) {
  if (dialect === 'sqlite') return
  await atomic(function* (tx) {
    yield* run(
      rawQuery(
        tx,
        sql`select setval(seq, greatest((select max(id) from ${table}), 1))
          from pg_get_serial_sequence(${sql.raw(`'${nameOf(table)}'`)}, 'id') seq`,
      ),
    )
  })
}

const nameOf = (table: Table) => (table as unknown as Record<symbol, string>)[Symbol.for('drizzle:Name')]!

/** @returns the ids of inserted rows in the order of `keys`, a unique column of theirs */
export function idsInOrder<Row extends { id: number }>(rows: Row[], key: keyof Row, keys: unknown[]): number[] {
  const byKey = new Map(rows.map(row => [row[key] as unknown, row.id]))
  return keys.map(text => byKey.get(text)!)
}
