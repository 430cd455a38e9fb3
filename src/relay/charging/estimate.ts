/** What a call may cost, before it is known. */

import { quotaOf } from '../../billing/bill.ts'
import { type Price, priceAt } from '../../billing/price.ts'
import { type Usage, usageOf } from '../../billing/usage.ts'
import { option } from '../../domain/options/index.ts'
import type { BillableCall, Call, Hold, PlannedCall } from '../call.ts'

/** Output tokens of all choices that the reservation covers from the start. */
export const expectedOutput = ({ facts, hold }: Pick<Call, 'facts' | 'hold'>): number =>
  hold.paid_output * facts.choices

/** Quota that the call may cost. @param paid_output tokens of each choice */
export function estimate(call: PlannedCall, hold: Hold, price: Price, paid_output = hold.paid_output): number {
  const output = paid_output * call.facts.choices
  const missing = Math.max(0, option('PreConsumedQuota') - call.prompt_tokens - output)
  const input = Math.max(call.prompt_tokens + missing, hold.prompt ?? 0)
  const quotaAt = (price: Price) => {
    const produced = expected(output, priceAt(price, input))
    const quotaBy = (prompt: Partial<Usage>) =>
      quotaOf({ ...usageOf({ ...prompt, calls: call.facts.calls, tools: hold.tool_uses ?? {} }), ...produced }, price)
    if (!hold.cache_write) return quotaBy({ input })
    return Math.max(quotaBy({ input }), quotaBy({ [`cache_write_${hold.cache_write}`]: input }))
  }
  return mostOf(call, price, quotaAt)
}

/** Any of the models that the request lists may answer. */
const mostOf = (
  { other_models }: Pick<PlannedCall, 'other_models'>,
  price: Price,
  quotaAt: (price: Price) => number,
) => (other_models ? Math.max(...[price, ...Object.values(other_models)].map(quotaAt)) : quotaAt(price))

/** Quota that further output may cost after a prompt of this length. */
export function outputQuota(output: number, prompt: number, { call, price }: Pick<BillableCall, 'call' | 'price'>) {
  return mostOf(call, price, own => {
    const pinned = priceAt(own, prompt)
    return quotaOf(usageOf(expected(output, pinned)), pinned)
  })
}

/** All output may be reasoning, where that is dearer. */
const expected = (output: number, { reasoning_ratio = 0, completion_ratio }: Price) => ({
  output,
  reasoning: reasoning_ratio > completion_ratio ? output : 0,
})
