/** Callbacks: upstreams push the state of a task to an address that holds a secret of its channel. */
import { eq } from 'drizzle-orm'
import { isFinal, isSettled } from '../../contracts/task.ts'
import { isEqual, sign } from '../../crypto/sealing.ts'
import { db } from '../../db/database.ts'
import { now_ms } from '../../process/clock.ts'
import { channelById, type RoutedChannel, tasksApiOf } from '../routing/index.ts'
import { noteFound } from './accept.ts'
import { progress } from './finish.ts'
import { lookAtTask } from './poll.ts'
import { type TaskRow, tasks } from './table.ts'
import { pauseOf } from './write-states.ts'

const SECRET_LENGTH = 40

/** The channel's id stands in it: a task whose answer was lost does not know its channel. */
const secretOf = (channel_id: number): string =>
  `${channel_id}-${sign('callbacks of a channel', String(channel_id)).slice(0, SECRET_LENGTH)}`

export const callbackPathOf = ({ platform, task_id }: Pick<TaskRow, 'platform' | 'task_id'>, channel_id: number) =>
  `/callback/${platform}/${secretOf(channel_id)}/${task_id}`

export interface CallbackAddress {
  platform: string
  secret: string
  task_id: string
}

export interface CallbackTarget {
  task: TaskRow
  channel: RoutedChannel
}

/** @returns undefined for a wrong secret, an unknown task, and that of another channel */
export async function callbackTarget(address: CallbackAddress): Promise<CallbackTarget | undefined> {
  const channel = await channelOf(address.secret)
  const task = channel && (await taskAt(address.platform, address.task_id))
  const isOfChannel = task?.channel_id === channel?.id || task?.channel_id === 0
  return task && channel && isOfChannel ? { task, channel } : undefined
}

/**
 * Moves a task forward. An end is asked for at the upstream before money moves.
 * @returns false for what is no state of this task
 */
export async function takeCallback({ task, channel }: CallbackTarget, body: unknown): Promise<boolean> {
  const pushed = tasksApiOf(channel)?.task.readPushed?.(body)
  if (!pushed) return false
  if (task.outcome_unknown && !task.upstream_id)
    return noteFound(task, { channel_id: channel.id, upstream_id: pushed.id })
  if (pushed.id !== task.upstream_id) return false
  if (isSettled(task.status)) return true
  if (isFinal(pushed.state.status)) await lookAtTask(task, channel)
  else if (pushed.state.status !== 'UNKNOWN') await progress(task.id, pushed.state, now_ms() + pauseOf(task))
  return true
}

async function channelOf(secret: string): Promise<RoutedChannel | undefined> {
  const id = Number(/^(\d{1,15})-/.exec(secret)?.[1] ?? Number.NaN)
  return isEqual(secret, secretOf(id)) ? channelById(id) : undefined
}

async function taskAt(platform: string, task_id: string): Promise<TaskRow | undefined> {
  if (task_id.includes('\0')) return undefined
  const [task] = await db.select().from(tasks).where(eq(tasks.task_id, task_id))
  return task?.platform === platform ? task : undefined
}
