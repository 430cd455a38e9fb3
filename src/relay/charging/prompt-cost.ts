/** What a prompt costs by its price, and what it would cost if no cache had kept a part of it. */
import { type Price, partsFor } from '../../billing/price.ts'
import { promptTokens, type Usage } from '../../billing/usage.ts'
import type { PromptCost } from '../../domain/usage/index.ts'

const textBuckets = ['input', 'cache_read', 'cache_write_5m', 'cache_write_1h'] as const

/** For figures, not for bills: floating point. A price per call has no saving. */
export function promptCost(usage: Usage, price: Price): PromptCost {
  const cost = { uncached: 0, saved: 0 }
  for (const { tier, usage: part } of partsFor(price, usage)) {
    const unit = price.group_ratio / 10 ** tier.scale
    const full = Number(tier.rates.input?.digits ?? 0) * unit
    for (const bucket of textBuckets) {
      cost.uncached += part[bucket] * full
      cost.saved += part[bucket] * (full - Number(tier.rates[bucket]?.digits ?? 0) * unit)
    }
  }
  return { prompt_tokens: promptTokens(usage), cache_read_tokens: usage.cache_read, ...cost }
}
