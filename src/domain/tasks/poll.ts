/** Looks after unfinished tasks: asks their upstreams, a channel beside the other, and writes what has changed. */
import { asc, inArray, lte, sql } from 'drizzle-orm'
import type { Lease } from '../../cluster/lease.ts'
import type { TaskState } from '../../contracts/task.ts'
import { db } from '../../db/database.ts'
import { now_ms, stopwatch } from '../../process/clock.ts'
import { log, reason } from '../../process/log.ts'
import { semaphore } from '../../process/semaphore.ts'
import { askStates, channelById, type RoutedChannel, type TasksApi, tasksApiOf } from '../routing/index.ts'
import { keyHashOf } from '../stored-objects/index.ts'
import { backOff, isBackingOff, isWell } from './back-off.ts'
import { fail } from './finish.ts'
import { failLost } from './lost.ts'
import { type TaskRow, tasks } from './table.ts'
import { overdue, type WatchedTask, writeStates } from './write-states.ts'

/** Requests of one channel at a time. */
const CHANNEL_CONCURRENCY = 4
/** Tasks of one channel in a round, those that have waited longest. */
const CHANNEL_TASKS_MAX = 5000
/** Requests that have not begun by then wait for the next round: a slow channel keeps none of the others waiting. */
const ROUND_MS = 15_000

/** One round. A task of a channel that errs waits for a later one. */
export async function lookAfterTasks(signal: AbortSignal, lease?: Lease) {
  const elapsed = stopwatch()
  await failLost()
  const byChannel = Map.groupBy(await dueTasks(), task => task.channel_id)
  const rounds = Array.from(byChannel, ([id, due]) =>
    lookAtChannel(id, due, { signal, lease, isOver: () => elapsed() > ROUND_MS }).catch(error =>
      log.warn('tasks of a channel not looked at', { channel: id, reason: reason(error) }),
    ),
  )
  await Promise.all(rounds)
}

type DueTask = Awaited<ReturnType<typeof dueTasks>>[number]

function dueTasks() {
  const { id, platform, channel_id, key_hash, deadline_ms, next_look_ms } = tasks
  const place = sql<number>`row_number() over (partition by ${channel_id} order by ${next_look_ms}, ${id})`.as('place')
  const due = db
    .select({ id, platform, channel_id, key_hash, deadline_ms, next_look_ms, place })
    .from(tasks)
    .where(lte(next_look_ms, now_ms()))
    .as('due')
  return db
    .select({
      ...{ id: due.id, platform: due.platform, channel_id: due.channel_id },
      ...{ key_hash: due.key_hash, deadline_ms: due.deadline_ms },
    })
    .from(due)
    .where(lte(due.place, CHANNEL_TASKS_MAX))
    .orderBy(asc(due.place))
}

interface Round {
  signal: AbortSignal
  lease: Lease | undefined
  isOver(): boolean
}

async function lookAtChannel(id: number, due: DueTask[], round: Round) {
  const channel = await channelById(id)
  const limited = semaphore(CHANNEL_CONCURRENCY)
  const looks = Array.from(Map.groupBy(due, ({ platform, key_hash }) => `${platform} ${key_hash}`).values(), ofKey => {
    const { platform, key_hash } = ofKey[0]!
    const api = channel && tasksApiOf(channel, platform)
    const key = api && channel.keys.find(key => keyHashOf(key) === key_hash)
    if (key === undefined) return failAll(ofKey, 'the channel of the task, or its key, is gone')
    const source = { channel: channel!, api: api!, key }
    return batches(ofKey, source.api.task.ids_max).map(batch => limited(() => look(source, batch, round)))
  })
  await Promise.all(looks.flat())
  if (isBackingOff(id)) await failAll(due.filter(isLongOverdue), 'timeout')
}

/** A channel that does not answer is asked for few tasks in a round: those that it is not asked for end all the same. */
const UNASKED_MS = 15 * 60_000
const isLongOverdue = ({ deadline_ms }: DueTask) => deadline_ms + UNASKED_MS <= now_ms()

const batches = (due: DueTask[], size: number): number[][] =>
  Array.from({ length: Math.ceil(due.length / size) }, (_, at) =>
    due.slice(at * size, (at + 1) * size).map(task => task.id),
  )

interface StateSource {
  channel: RoutedChannel
  api: TasksApi
  key: string
}

/** With several batches waiting, a channel that errs is asked no further in this round. */
async function look(source: StateSource, ids: number[], { signal, lease, isOver }: Round) {
  if (!signal.aborted && !isOver() && !isBackingOff(source.channel.id)) await ask(source, ids, signal, lease)
}

/** @returns whether there was an answer */
async function ask(source: StateSource, ids: number[], signal: AbortSignal, lease?: Lease): Promise<boolean> {
  const { channel } = source
  const batch = await watched(ids)
  const upstream_ids = [...new Set(batch.map(task => task.upstream_id))]
  const states = await statesOf(source, upstream_ids, signal)
  if (signal.aborted) return false
  // After a pause the answer is old, and another node looks after the tasks.
  if (lease && !(await lease.holds())) return false
  if (states) await writeStates(batch, states, channel)
  else await failAll(batch.filter(overdue), 'timeout')
  return states !== undefined
}

/**
 * Asks for one task at once.
 * @param insists asks a channel that errs, too
 * @returns whether there was an answer
 */
export async function lookAtTask(
  { id, key_hash, platform }: Pick<TaskRow, 'id' | 'key_hash' | 'platform'>,
  channel: RoutedChannel,
  insists = false,
): Promise<boolean> {
  const api = tasksApiOf(channel, platform)
  const key = channel.keys.find(key => keyHashOf(key) === key_hash)
  if (!api || key === undefined || (!insists && isBackingOff(channel.id))) return false
  return ask({ channel, api, key }, [id], new AbortController().signal)
}

/** As they are now: they may have ended since the round began. */
async function watched(ids: number[]): Promise<WatchedTask[]> {
  const { id, upstream_id, status, progress, start_ms, result, submit_ms, times_missing, deadline_ms } = tasks
  const columns = { id, upstream_id, status, progress, start_ms, result, submit_ms, times_missing, deadline_ms }
  return db.select(columns).from(tasks).where(inArray(id, ids)).orderBy(asc(id))
}

/** @returns undefined where the upstream gave no answer: every task stays as it is */
async function statesOf({ channel, api, key }: StateSource, ids: string[], signal: AbortSignal) {
  const told = await askStates(channel, api, key, ids, signal).catch(error => ({ status: 0, body: reason(error) }))
  const { status } = told
  const states = statesIn(api, ids, told)
  if (states) isWell(channel.id)
  else if (!signal.aborted) {
    backOff(channel.id)
    log.warn('an upstream does not answer for its tasks', { channel: channel.id, status, tasks: ids.length })
  }
  return states
}

function statesIn({ task }: TasksApi, ids: string[], { status, body }: { status: number; body: unknown }) {
  if (task.isUnknown?.(status, body)) return new Map<string, TaskState>()
  return status >= 200 && status < 300 ? task.readStates(body, ids) : undefined
}

async function failAll(some: readonly { id: number }[], fail_reason: string) {
  for (const { id } of some) await fail(id, { fail_reason })
}
