/** Money of tasks that have ended: what failed is given back whole, what took other units than were asked for in part. */

import { eq } from 'drizzle-orm'
import { type TaskChoice, taskBill } from '../../billing/task-price.ts'
import { LogType } from '../../contracts/log.ts'
import type { TaskReport } from '../../contracts/task.ts'
import { run } from '../../db/atomic.ts'
import type { Tx } from '../../db/database.ts'
import type { MessageKey } from '../../locales/index.ts'
import { unixSeconds } from '../../pure/time.ts'
import { recordAll } from '../logs/index.ts'
import { users } from '../users/table.ts'
import { chargeMore, refund } from '../wallet/index.ts'
import { type TaskRow, tasks } from './table.ts'

/** Refunds or charges the difference to what was charged at acceptance. */
export function* settleReport(tx: Tx, task: TaskRow, report: TaskReport) {
  const units = reportedUnits(task, report)
  const extras = reportedExtras(report)
  if ((units === undefined && !extras) || !task.charged) return
  const { price_basis, charged, id } = task
  const { quota } = taskBill({ ...price_basis, choice: withReport(price_basis.choice, units, extras) })
  if (quota < charged) {
    yield* run(
      tx
        .update(tasks)
        .set({ refunded: charged - quota })
        .where(eq(tasks.id, id)),
    )
    yield* giveBack(tx, task, charged - quota, 'log.task_took_less')
  }
  if (quota > charged) {
    yield* run(tx.update(tasks).set({ charged: quota }).where(eq(tasks.id, id)))
    yield* chargeMore(tx, { ...usageOf(task), quota: quota - charged })
    yield* note(tx, task, 'log.task_charged_more', quota - charged)
  }
}

const withReport = (choice: TaskChoice, units = choice.units, extras?: TaskChoice['extras']): TaskChoice => ({
  ...choice,
  units,
  ...(extras && { extras: { ...choice.extras, ...extras } }),
})

/** More than so many of anything cannot be true. */
const EXTRAS_MAX = 3600

const reportedExtras = ({ extras = {} }: TaskReport) => {
  const likely = Object.entries(extras).filter(([, count]) => count > 0 && count <= EXTRAS_MAX)
  return likely.length ? Object.fromEntries(likely) : undefined
}

/** Reports of more than so many times the units that were asked for cannot be true. */
const UNITS_FACTOR_MAX = 10
const TOKENS_PER_UNIT = 1000

/** @returns undefined where nothing is reported of the unit that is priced, or nothing that can be true */
function reportedUnits({ price_basis: { price, choice } }: TaskRow, { seconds, tokens }: TaskReport) {
  const units = price.unit === 'second' ? wholeSeconds(seconds) : price.unit === 'call' ? undefined : thousands(tokens)
  return units !== undefined && units > 0 && units <= choice.units * UNITS_FACTOR_MAX ? units : undefined
}

/** Makers count frames: a video of 5 seconds has 5.04. */
const wholeSeconds = (seconds: number | undefined) => (seconds === undefined ? undefined : Math.round(seconds))
const thousands = (tokens: number | undefined) => (tokens === undefined ? undefined : tokens / TOKENS_PER_UNIT)

const usageOf = ({ user_id, token_id, channel_id, model, group, charged_time: at, submit_ms, key_hash }: TaskRow) => ({
  ...{ user_id, token_id, channel_id, model, group, at, began: unixSeconds(submit_ms), key_hash },
})

export function* giveBack(tx: Tx, task: TaskRow, quota: number, content: MessageKey) {
  yield* refund(tx, { ...usageOf(task), reference: task.task_id, quota })
  yield* note(tx, task, content, quota)
}

function* note(tx: Tx, task: TaskRow, content: MessageKey, quota: number) {
  const { task_id, request_id, user_id, token_id, channel_id, model, group } = task
  const [user] = yield* run(tx.select({ username: users.username }).from(users).where(eq(users.id, user_id)))
  const entry = { user_id, username: user!.username, token_id, model_name: model, group, channel: channel_id, quota }
  const other = JSON.stringify({ values: { quota }, params: { id: task_id } })
  yield* recordAll(tx, [{ ...entry, type: LogType.system, request_id, content, other }])
}
