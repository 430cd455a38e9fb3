/** Finished drawings, songs and videos of other gateways: their owners still find them. No balance depends on them. */
import { inArray } from 'drizzle-orm'
import type { PriceBasis } from '../../billing/task-price.ts'
import type { MovedNoun } from '../../contracts/moving-in.ts'
import { FINAL_STATUSES, type TaskPlatform } from '../../contracts/task.ts'
import { run } from '../../db/atomic.ts'
import { db } from '../../db/database.ts'
import type { ForeignRow } from '../../db/foreign/foreign-database.ts'
import { tasks } from '../tasks/table.ts'
import { carryAll, type Entry, idsInOrder } from './carry.ts'
import { countNote, type Move, note } from './move.ts'
import { json, list, text, whole } from './row.ts'

type TaskEntry = typeof tasks.$inferInsert

const MS_PER_SECOND = 1000

const COMMON = ['user_id', 'action', 'status', 'fail_reason', 'submit_time', 'start_time', 'finish_time', 'channel_id']

/** Rows of Midjourney; their times are milliseconds. */
export const moveDrawings = (move: Move) =>
  carried(move, 'drawing', {
    rows: move.from.read('midjourneys', [
      ...[...COMMON, 'mj_id', 'prompt', 'prompt_en', 'description', 'state', 'image_url', 'video_url', 'video_urls'],
      ...['buttons', 'properties', 'quota'],
    ]),
    facts: row => ({
      platform: 'midjourney',
      task_id: text(row.mj_id),
      model: `mj_${text(row.action).toLowerCase()}`,
      ms: 1,
      input: { prompt: text(row.prompt), state: text(row.state) },
      result: {
        ...{ prompt: text(row.prompt), promptEn: text(row.prompt_en), description: text(row.description) },
        ...{ imageUrl: text(row.image_url), videoUrl: text(row.video_url), videoUrls: list(row.video_urls) },
        ...{ buttons: list(row.buttons), properties: json(row.properties) },
      },
    }),
  })

/** Songs and videos; their times are seconds. The private data of a row may hold a key, and is not read. */
export const moveTasks = (move: Move) =>
  carried(move, 'task', {
    rows: move.from.read('tasks', [...COMMON, 'task_id', 'platform', 'group', 'properties', 'data', 'quota']),
    facts(row) {
      const isSong = text(row.platform) === 'suno'
      const { input, origin_model_name } = json(row.properties)
      const model = typeof origin_model_name === 'string' ? origin_model_name : ''
      // A video's address stands where the reason of a failure would.
      const url = text(row.fail_reason)
      return {
        platform: isSong ? 'suno' : 'video',
        task_id: text(row.task_id),
        model: isSong ? `suno_${text(row.action).toLowerCase()}` : model,
        ms: MS_PER_SECOND,
        input: { prompt: typeof input === 'string' ? input : '' },
        result: isSong ? listOrObject(row) : { url: /^https?:/.test(url) ? url : '' },
      }
    },
  })

const listOrObject = ({ data }: ForeignRow) => {
  const many = list(data)
  return many.length ? many : json(data)
}

interface Source {
  rows: AsyncIterable<ForeignRow[]>
  facts(row: ForeignRow): {
    platform: TaskPlatform
    task_id: string
    model: string
    /** Milliseconds of a unit of their times. */
    ms: number
    input: TaskEntry['input']
    result: unknown
  }
}

const carried = (move: Move, noun: MovedNoun & ('drawing' | 'task'), { rows, facts }: Source) =>
  carryAll<TaskEntry>(move, {
    noun,
    batches: rows,
    read: batch =>
      withoutTaken(
        move,
        noun,
        batch.flatMap(row => entryOf(move, row, facts(row)) ?? []),
      ),
    *write(tx, entries) {
      const values = entries.map(({ row: { id: _, ...row } }) => row)
      const made = yield* run(tx.insert(tasks).values(values).returning({ id: tasks.id, task_id: tasks.task_id }))
      const keys = values.map(({ task_id }) => task_id)
      return idsInOrder(made, 'task_id', keys)
    },
  })

function entryOf(move: Move, row: ForeignRow, facts: ReturnType<Source['facts']>): Entry<TaskEntry> | undefined {
  const owner = whole(row.user_id)
  const user_id = move.ids.user.get(owner)
  const status = FINAL_STATUSES.find(final => final === text(row.status))
  if (!status) return void countNote(move, 'moving.task_unfinished')
  if (user_id === undefined || move.deletedUsers.has(owner) || !facts.task_id)
    return void countNote(move, 'moving.task_of_deleted')
  const { ms, result, task_id, ...known } = facts
  const time = (value: ForeignRow[string]) => Math.max(0, whole(value)) * ms
  const charged = status === 'SUCCESS' ? Math.max(0, whole(row.quota)) : 0
  return {
    source_id: whole(row.id),
    row: {
      ...{ ...known, task_id, upstream_id: task_id, repeats_id: true, user_id, token_id: 0, group: text(row.group) },
      ...{ action: text(row.action), request_id: '', node: '', status, progress: 100 },
      channel_id: move.ids.channel.get(whole(row.channel_id)) ?? 0,
      fail_reason: status === 'FAILURE' ? text(row.fail_reason) : '',
      ...{ submit_ms: time(row.submit_time), start_ms: time(row.start_time), finish_ms: time(row.finish_time) },
      ...{ result: status === 'SUCCESS' ? result : null, price_basis: unknownPrice, charged },
      charged_time: charged ? Math.floor(time(row.submit_time) / MS_PER_SECOND) : 0,
      deadline_ms: 0,
    },
  }
}

/** What it cost there is known, and not by which price. */
const unknownPrice: PriceBasis = {
  ...{ price: { unit: 'call', price: 0 }, choice: { units: 0 }, group_ratio: 1, quota_per_unit: 500_000 },
  price_version: '',
}

/** Ids that exist here, or twice there. */
async function withoutTaken(move: Move, noun: MovedNoun, entries: Entry<TaskEntry>[]): Promise<Entry<TaskEntry>[]> {
  const wanted = entries.map(({ row }) => row.task_id)
  const { task_id } = tasks
  const found = wanted.length ? await db.select({ task_id }).from(tasks).where(inArray(task_id, wanted)) : []
  const taken = new Set(found.map(row => row.task_id))
  return entries.filter(({ source_id, row }) => {
    if (taken.has(row.task_id)) return void note(move, noun, 'moving.task_taken', source_id, { id: row.task_id })
    return taken.add(row.task_id)
  })
}
