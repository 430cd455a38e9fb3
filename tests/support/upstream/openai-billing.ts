/** What OpenAI, and gateways like it, tell of an account that a card pays for. */
import { now } from '../../../src/process/clock.ts'

const DAY = 86_400
const dayOf = (at: number) => new Date(at * 1000).toISOString().slice(0, 10)

const usageAt = (at: number) =>
  `/v1/dashboard/billing/usage?start_date=${dayOf(at).slice(0, 7)}-01&end_date=${dayOf(at + DAY)}`

/** Asked today, or after a midnight that comes meanwhile. */
export const billing = () => ({
  answers: {
    '/v1/dashboard/billing/subscription': { hard_limit_usd: 120, has_payment_method: true, access_until: 0 },
    [usageAt(now())]: { total_usage: 1250 },
    [usageAt(now() + DAY)]: { total_usage: 1250 },
  },
  found: 107.5,
})
