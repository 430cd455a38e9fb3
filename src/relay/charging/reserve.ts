/** Quota set aside before anything is spent: for the whole prompt and all the output that was asked for. */

import { quotaOf } from '../../billing/bill.ts'
import type { Price } from '../../billing/price.ts'
import { usageOf } from '../../billing/usage.ts'
import { OUTPUT_STEP } from '../../contracts/relay.ts'
import { option } from '../../domain/options/index.ts'
import { reserve as hold, type Reservation } from '../../domain/wallet/index.ts'
import type { ApiCaller, Call } from '../call.ts'

/** @throws Refusal 403 when the user or the token has less left. */
export const reserve = (call: Call, { token, user }: ApiCaller, price: Price): Promise<Reservation> =>
  hold({
    request_id: call.request_id,
    user_id: user.id,
    token_id: token.id,
    unlimited: token.unlimited_quota,
    quota: estimate(call, price),
  })

/** Output tokens that the reservation covers from the start. */
export const expectedOutput = ({ facts }: Call): number => (facts.max_output ?? OUTPUT_STEP) * facts.choices

/** What the call may come to. */
export function estimate(call: Call, price: Price): number {
  const output = expectedOutput(call)
  const missing = Math.max(0, option('PreConsumedQuota') - call.prompt_tokens - output)
  return quotaOf(usageOf({ input: call.prompt_tokens + missing, output, calls: call.facts.calls }), price)
}
