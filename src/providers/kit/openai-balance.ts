/** The balance of an OpenAI account, as gateways in OpenAI's format still report it. */
import { now } from '../../process/clock.ts'
import { baseUrlOf, withVersion } from './base-url.ts'
import type { UpstreamQuery } from './provider.ts'
import { amountIn, fieldOf } from './upstream-query.ts'

const DAY_SECONDS = 86_400
const DAYS_WITHOUT_CARD = 100

const dateOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10)

/** The limit in USD less the usage: of this month when a card pays, otherwise of the last 100 days. */
export const openAiBalance = (base_url: string): UpstreamQuery<number> =>
  function* (config) {
    const base = baseUrlOf(config, base_url).replace(/\/chat\/completions$/, '')
    const billing = `${withVersion(base, '/v1')}/dashboard/billing`
    const subscription = yield `${billing}/subscription`
    const limit = amountIn(subscription, 'hard_limit_usd')
    if (limit === undefined) return undefined
    const today = now()
    const month = `${dateOf(today).slice(0, 7)}-01`
    const since = fieldOf(subscription, 'has_payment_method') ? month : dateOf(today - DAYS_WITHOUT_CARD * DAY_SECONDS)
    const until = dateOf(today + DAY_SECONDS)
    const cents = amountIn(yield `${billing}/usage?start_date=${since}&end_date=${until}`, 'total_usage')
    return cents === undefined ? undefined : limit - cents / 100
  }
