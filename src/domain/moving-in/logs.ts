/** Usage logs of another gateway, oldest first, so that a run goes on behind the last entry of the one before. */
import { eq } from 'drizzle-orm'
import type { MovedProduct } from '../../contracts/moving-in.ts'
import { atomic, run } from '../../db/atomic.ts'
import { bulkInsert } from '../../db/bulk-insert.ts'
import { db } from '../../db/database.ts'
import type { ForeignRow } from '../../db/foreign/foreign-database.ts'
import { now } from '../../process/clock.ts'
import { logs } from '../logs/table.ts'
import { countNote, type Move } from './move.ts'
import { flag, json, text, whole } from './row.ts'
import { moves } from './table.ts'

const COLUMNS = [
  ...['user_id', 'created_at', 'type', 'content', 'username', 'token_name', 'model_name', 'quota', 'prompt_tokens'],
  ...[
    'completion_tokens',
    'is_stream',
    'channel_id',
    'use_time',
    'token_id',
    'group',
    'other',
    'request_id',
    'elapsed_time',
  ],
]

const WRITTEN = [
  ...[
    'user_id',
    'created_at',
    'type',
    'username',
    'token_id',
    'token_name',
    'model_name',
    'group',
    'channel',
    'is_stream',
  ],
  ...['use_time', 'prompt_tokens', 'completion_tokens', 'quota', 'content', 'request_id', 'other'],
]
const insert = bulkInsert(WRITTEN, (db, rows) => db.insert(logs).values(rows))

/** Types beyond top-up, usage, management and system, which all have; ours are check-in 5 and error 6. */
const TYPES: Record<MovedProduct, Record<number, number>> = {
  'one-api': { 0: 2 },
  veloera: { 0: 2, 5: 5, 6: 6 },
  'new-api': { 0: 2, 5: 6 },
}
const COMMON_MAX = 4
const ERROR = 6
const SYSTEM = 4
const DAY_SECONDS = 86_400

/** Balances, usage and statements do not depend on them. */
export async function moveLogs(move: Move, days: number) {
  if (!days) return
  const counts = move.report.counts.log
  const least = now() - days * DAY_SECONDS
  const [before] = await db.select().from(moves).where(eq(moves.source, move.source))
  const reading = move.from.read('logs', COLUMNS, { since: { column: 'created_at', least }, after: before?.logs_up_to })
  for await (const rows of reading) {
    const entries = rows.flatMap(row => entryOf(move, row) ?? [])
    counts.found += rows.length
    counts.carried += entries.length
    if (move.isDry) continue
    const logs_up_to = whole(rows.at(-1)!.id)
    await atomic(function* (tx) {
      if (entries.length) yield* run(insert(tx, entries))
      yield* run(tx.update(moves).set({ logs_up_to }).where(eq(moves.source, move.source)))
    })
  }
}

function entryOf(move: Move, row: ForeignRow) {
  const user_id = move.ids.user.get(whole(row.user_id))
  if (user_id === undefined) return void countNote(move, 'moving.log_of_unknown')
  const source = whole(row.type)
  const type = TYPES[move.product][source] ?? (source > 0 && source <= COMMON_MAX ? source : SYSTEM)
  return {
    ...{ user_id, created_at: whole(row.created_at), type, username: text(row.username), group: text(row.group) },
    token_id: move.ids.token.get(whole(row.token_id)) ?? 0,
    token_name: text(row.token_name),
    model_name: text(row.model_name),
    channel: move.ids.channel.get(whole(row.channel_id)) ?? 0,
    is_stream: flag(row.is_stream),
    use_time: Math.max(0, whole(row.use_time) || Math.round(whole(row.elapsed_time) / MS_PER_SECOND)),
    prompt_tokens: Math.max(0, whole(row.prompt_tokens)),
    completion_tokens: Math.max(0, whole(row.completion_tokens)),
    quota: whole(row.quota),
    content: text(row.content),
    request_id: text(row.request_id),
    other: type === ERROR ? statusOf(row) : '',
  }
}

const MS_PER_SECOND = 1000

/** Of their details the status alone has a place here: prices of a call are in its text. */
function statusOf(row: ForeignRow): string {
  const { status_code } = json(row.other)
  return typeof status_code === 'number' ? JSON.stringify({ status_code }) : ''
}
