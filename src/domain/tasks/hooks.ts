/** Webhooks of callers: a task that has ended is sent to the address that its request named. */
import { createHmac } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { outbox } from '../../cluster/outbox.ts'
import { KEY_PREFIX } from '../../contracts/token.ts'
import { unsealedOrBlank } from '../../crypto/sealing.ts'
import { onCommit, run } from '../../db/atomic.ts'
import { db, type Tx } from '../../db/database.ts'
import { guardedFetch } from '../../net/guarded-fetch.ts'
import { now } from '../../process/clock.ts'
import { fetchWorker, option } from '../options/index.ts'
import { channelById, tasksApiOf } from '../routing/index.ts'
import { tokenById } from '../tokens/index.ts'
import { pictureAddressOf } from './file-address.ts'
import { type TaskRow, taskHooks, tasks } from './table.ts'

const TRIES_MAX = 3
const FIRST_PAUSE_SECONDS = 30
const SENDERS_MAX = 10
const TIMEOUT_MS = 5000
const RESPONSE_BYTES_MAX = 64 * 1024

const { sendDue } = outbox<typeof taskHooks.$inferSelect>({
  name: 'task hook',
  table: taskHooks,
  tries_max: TRIES_MAX,
  first_pause_seconds: FIRST_PAUSE_SECONDS,
  senders_max: SENDERS_MAX,
  send: deliver,
  factsOf: ({ task }) => ({ task }),
})

export { sendDue as sendTaskHooks }

/** It leaves right after the commit. */
export function* queueHook(tx: Tx, { id, hook }: Pick<TaskRow, 'id' | 'hook'>) {
  if (!hook) return
  yield* run(tx.insert(taskHooks).values({ task: id, tries: 0, next_time: now() }))
  onCommit(tx, () => void sendDue())
}

/** A key that was deleted signs nothing more. @throws Error when it was not delivered */
async function deliver({ id, task: of }: typeof taskHooks.$inferSelect) {
  const [task] = await db.select().from(tasks).where(eq(tasks.id, of))
  const token = task && (await tokenById.get(task.token_id))
  const key = token && unsealedOrBlank(token.key_sealed)
  if (!task || !key) return
  const body = JSON.stringify(await bodyOf(task))
  const { status } = await guardedFetch(task.hook, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signed(`msg_${task.task_id}_${id}`, body, KEY_PREFIX + key) },
    body,
    max_bytes: RESPONSE_BYTES_MAX,
    ms: TIMEOUT_MS,
    worker: fetchWorker(),
  })
  if (status < 200 || status >= 300) throw new Error('no success status')
}

async function bodyOf(task: TaskRow): Promise<unknown> {
  const channel = await channelById(task.channel_id)
  const write = channel && tasksApiOf(channel)?.task.writeTask
  const isPicture = option('MjForwardUrlEnabled') && task.status === 'SUCCESS'
  return write?.(task, isPicture ? pictureAddressOf(task) : undefined) ?? { id: task.task_id, status: task.status }
}

/**
 * Standard Webhooks, under the API key of the task as it stands in a request.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md (read 2026-11)
 */
function signed(id: string, body: string, key: string): Record<string, string> {
  const at = now()
  const signature = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signature}` }
}
