/** Looks after unfinished tasks: asks their upstreams, a channel beside the other, and writes what has changed. */
import { asc, inArray, lte } from 'drizzle-orm'
import type { TaskState } from '../../contracts/task.ts'
import { db } from '../../db/database.ts'
import { now_ms } from '../../process/clock.ts'
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
const ROUND_MAX = 20_000

/** One round. A task of a channel that errs waits for a later one. */
export async function lookAfterTasks(signal: AbortSignal) {
  await failLost()
  const byChannel = Map.groupBy(await dueTasks(), task => task.channel_id)
  const rounds = Array.from(byChannel, ([id, due]) =>
    lookAtChannel(id, due, signal).catch(error =>
      log.warn('tasks of a channel not looked at', { channel: id, reason: reason(error) }),
    ),
  )
  await Promise.all(rounds)
}

type DueTask = Awaited<ReturnType<typeof dueTasks>>[number]

function dueTasks() {
  const { id, platform, channel_id, key_hash, next_look_ms } = tasks
  return db
    .select({ id, platform, channel_id, key_hash })
    .from(tasks)
    .where(lte(next_look_ms, now_ms()))
    .orderBy(asc(next_look_ms), asc(id))
    .limit(ROUND_MAX)
}

async function lookAtChannel(id: number, due: DueTask[], signal: AbortSignal) {
  const channel = await channelById(id)
  const limited = semaphore(CHANNEL_CONCURRENCY)
  const looks = Array.from(Map.groupBy(due, ({ platform, key_hash }) => `${platform} ${key_hash}`).values(), ofKey => {
    const { platform, key_hash } = ofKey[0]!
    const api = channel && tasksApiOf(channel, platform)
    const key = api && channel.keys.find(key => keyHashOf(key) === key_hash)
    if (key === undefined) return failAll(ofKey, 'the channel of the task, or its key, is gone')
    const source = { channel: channel!, api: api!, key }
    return batches(ofKey, source.api.task.ids_max).map(batch => limited(() => look(source, batch, signal)))
  })
  await Promise.all(looks.flat())
}

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
async function look(source: StateSource, ids: number[], signal: AbortSignal) {
  if (!signal.aborted && !isBackingOff(source.channel.id)) await ask(source, ids, signal)
}

/** @returns whether there was an answer */
async function ask(source: StateSource, ids: number[], signal: AbortSignal): Promise<boolean> {
  const { channel } = source
  const batch = await watched(ids)
  const upstream_ids = [...new Set(batch.map(task => task.upstream_id))]
  const states = await statesOf(source, upstream_ids, signal)
  if (signal.aborted) return false
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
