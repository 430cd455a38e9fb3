/** A task that no upstream has accepted: its row tells why, and nothing was charged. */
import { failUnaccepted, OUTCOME_UNKNOWN, type TaskRow } from '../../domain/tasks/index.ts'
import { log, reason } from '../../process/log.ts'
import type { Json } from '../../pure/json.ts'
import { explain } from '../errors/explain.ts'
import { Fault } from '../errors/fault.ts'
import { OutcomeUnknown } from './send-once.ts'

/** Never throws: a row that cannot be written is found by the job that looks after tasks. */
export async function failSubmitting({ id, task_id, request_id }: TaskRow, error: unknown) {
  const outcome_unknown = error instanceof OutcomeUnknown
  const { message, code } = explain(error, { request_id, language: 'en' }).api_error
  const fail_reason = outcome_unknown ? OUTCOME_UNKNOWN : message || code
  await failUnaccepted(id, { fail_reason, outcome_unknown, answer: answerIn(error, message) }).catch(failure =>
    log.warn('failure of a task not written', { task_id, reason: reason(failure) }),
  )
}

/** What an upstream has answered that refuses with a code of its own. */
function answerIn(error: unknown, description: string): Json | undefined {
  const details = error instanceof Fault ? error.upstream_error?.details : undefined
  return details && { ...details, description }
}
