/** The record of a call that a budget of its user or key has refused: the page of the call says why. */
import { BudgetExhausted } from '../../domain/budgets/index.ts'
import { recordRefusedCall } from '../../domain/logs/index.ts'
import { now } from '../../process/clock.ts'
import type { ReadCall } from '../call.ts'
import type { ApiCaller } from '../caller.ts'

type RefusedCall = Pick<ReadCall, 'request_id' | 'recorder' | 'attempts' | 'elapsed'>

/** @param error that ends the call; others than those of budgets leave none */
export function recordRefused(call: RefusedCall, { user }: ApiCaller, error: unknown) {
  if (!(error instanceof BudgetExhausted)) return
  const record = call.recorder.refusedBy(error.budget_id, call)
  const { request_id } = call
  if (record) recordRefusedCall({ request_id, user_id: user.id, created_at: now(), record })
}
