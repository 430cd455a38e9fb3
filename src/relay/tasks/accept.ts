/** Acceptance of a task: bill, usage log and the upstream's id are one durable commit. */
import { usageOf } from '../../billing/usage.ts'
import { type LogDetails, LogType } from '../../contracts/log.ts'
import type { NewLog } from '../../domain/logs/index.ts'
import { option } from '../../domain/options/index.ts'
import { type Acceptance, acceptTask, type TaskRow } from '../../domain/tasks/index.ts'
import type { Call } from '../call.ts'
import type { ApiCaller } from '../caller.ts'
import type { CallReservation } from '../charging/call-reservation.ts'
import { attemptDetails, logColumns, mappingDetails } from '../charging/log-details.ts'
import { billAccepted } from '../charging/quote-task.ts'
import { unusableResponse } from '../errors/classify-error.ts'
import type { UpstreamResponse } from '../upstream/upstream-response.ts'
import { reportServed, upstreamTimes } from '../watching/report-call.ts'

/** What the response says of the task. */
export interface AcceptedTask extends Omit<Acceptance, 'channel_id' | 'key' | 'charged'> {
  /** The maker charges nothing for it, in spite of its price. */
  is_free?: boolean
}

export interface TaskSubmission {
  task: TaskRow
  call: Call
  caller: ApiCaller
  reservation: CallReservation
}

const MS_PER_SECOND = 1000

/** @throws Fault when nothing may be billed: its node was taken for dead meanwhile, or the id is that of another task */
export async function accept(
  submission: TaskSubmission,
  { channel, key, model }: UpstreamResponse,
  { is_free = false, ...accepted }: AcceptedTask,
) {
  const { task, call, caller, reservation } = submission
  const { choice, quota, lines } = billAccepted(task.price_basis, is_free)
  const acceptance = { ...accepted, channel_id: channel.id, key, charged: quota }
  const usage = usageOf({ calls: 1 })
  let isAccepted = false
  call.trace?.settling()
  await reservation.settle({
    ...{ quota, usage, model: task.model, group: caller.group, channel_id: channel.id },
    log: logEntry(submission, channel.id, quota, {
      ...mappingDetails(call, model),
      lines,
      task: choice,
      action: task.action,
    }),
    *condition(tx, at) {
      isAccepted = yield* acceptTask(tx, task, acceptance, at)
      return isAccepted
    },
  })
  if (!isAccepted) throw unusableResponse()
  const times = upstreamTimes(submission)()
  const answered = { id: accepted.upstream_id, text: '' }
  const ended = { channel, first_ms: times.total_ms, reason: 'finished', has_body: false, answered } as const
  reportServed(submission, { usage, quota }, ended, times)
}

function logEntry(
  { task, call, caller }: TaskSubmission,
  channel: number,
  quota: number,
  details: LogDetails,
): NewLog | undefined {
  if (!option('LogConsumeEnabled')) return undefined
  const { price, group_ratio, price_version } = task.price_basis
  const other: LogDetails = {
    ...details,
    ...{ model_price: price.unit === 'call' ? price.price : undefined, group_ratio, price_version },
    ...{ request_path: call.path, duration_ms: Math.round(call.elapsed()), admin_info: attemptDetails(call) },
  }
  return {
    ...logColumns(call, caller),
    ...{
      type: LogType.consume,
      model_name: task.model,
      channel,
      quota,
      use_time: Math.round(call.elapsed() / MS_PER_SECOND),
    },
    ...{ prompt_tokens: 0, completion_tokens: 0, other: JSON.stringify(other) },
  }
}
