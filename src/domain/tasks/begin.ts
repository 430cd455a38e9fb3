/** The row of a task is written before its upstream is called: a call that is lost is found. */

import type { PriceBasis } from '../../billing/task-price.ts'
import { join, NODE_ID } from '../../cluster/node.ts'
import type { TaskPlatform } from '../../contracts/task.ts'
import { randomKey } from '../../crypto/random-id.ts'
import { db } from '../../db/database.ts'
import { dialect } from '../../db/dialect.ts'
import { now_ms } from '../../process/clock.ts'
import { store } from '../../process/stores.ts'
import type { Json } from '../../pure/json.ts'
import { option } from '../options/index.ts'
import { type TaskRow, tasks } from './table.ts'

export interface NewTask {
  platform: TaskPlatform
  action: string
  model: string
  user_id: number
  token_id: number
  group: string
  request_id: string
  /** Of the task that it continues. */
  origin_id?: string
  input: Json
  /** Address of the caller's webhook. */
  hook?: string
  price_basis: PriceBasis
}

const ID_LENGTH = 32
const MS_PER_MINUTE = 60_000

const timeouts = {
  suno: 'TaskTimeoutMinutes',
  video: 'TaskTimeoutMinutes',
  image: 'TaskTimeoutMinutes',
  midjourney: 'DrawingTimeoutMinutes',
} as const satisfies Record<TaskPlatform, string>

/** Tasks whose call to an upstream runs in this process, by `task_id`. */
const submitting = store('tasks-being-submitted', new Set<string>())

export const isBeingSubmitted = (task_id: string): boolean => submitting.has(task_id)

/** @returns the row; call `endSubmitting` once it is accepted or failed */
export async function beginTask(task: NewTask): Promise<TaskRow> {
  if (dialect === 'postgres') await join()
  const task_id = `task_${randomKey(ID_LENGTH)}`
  submitting.add(task_id)
  try {
    const submit_ms = now_ms()
    const deadline_ms = submit_ms + option(timeouts[task.platform]) * MS_PER_MINUTE
    const row = { ...task, task_id, node: NODE_ID, status: 'NOT_START' as const, submit_ms, deadline_ms }
    const [begun] = await db.insert(tasks).values(row).returning()
    return begun!
  } catch (error) {
    submitting.delete(task_id)
    throw error
  }
}

export const endSubmitting = ({ task_id }: Pick<TaskRow, 'task_id'>) => void submitting.delete(task_id)
