/** Each failed attempt: counted, and in an error log while LogErrorEnabled is on. Users see the client's message, operators more. */

import { type Attempt, type LogDetails, LogType } from '../../contracts/log.ts'
import { writeLog } from '../../domain/logs/index.ts'
import { option } from '../../domain/options/index.ts'
import { listedName, type RoutedChannel, upstreamModel } from '../../domain/routing/index.ts'
import { countFailure } from '../../domain/usage/index.ts'
import { translate } from '../../locales/index.ts'
import { log, reason } from '../../process/log.ts'
import type { Call } from '../call.ts'
import type { ApiCaller } from '../caller.ts'
import type { Fault } from '../errors/fault.ts'
import { attemptDetails, logColumns, mappingDetails } from './log-details.ts'

interface FailedAttempt {
  channel: RoutedChannel
  fault: Fault
  attempt: Attempt
}

/** Never throws: a failing log must not fail a call that the next channel may serve. */
export async function logFailure(call: Call, caller: ApiCaller, { channel, fault, attempt }: FailedAttempt) {
  const { user_id, token_id, model_name, group } = logColumns(call, caller)
  countFailure({ user_id, token_id, channel_id: channel.id, model: listedName(model_name), group })
  if (!option('LogErrorEnabled')) return
  const { upstream_error } = fault
  const details: LogDetails = {
    error_type: upstream_error?.type || 'upstream_error',
    error_code: upstream_error?.code || fault.code.split('.')[1],
    status_code: attempt.status || fault.status,
    channel_id: channel.id,
    channel_name: channel.name,
    channel_type: channel.type,
    request_path: call.path,
    ...mappingDetails(call, upstreamModel(channel, call.facts.model)),
    ...(upstream_error?.message ? {} : { message_key: fault.code, params: fault.params }),
    passed_over: call.attempts.passed_over,
    admin_info: attemptDetails(call),
  }
  try {
    await writeLog({
      ...logColumns(call, caller),
      type: LogType.error,
      channel: channel.id,
      content: upstream_error?.message || translate(call.language, fault.code, fault.params),
      other: JSON.stringify(details),
    })
  } catch (error) {
    log.warn('error log not written', { request_id: call.request_id, reason: reason(error) })
  }
}
