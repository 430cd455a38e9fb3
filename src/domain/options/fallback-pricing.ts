/** Options of the fallback price for models without a price. */
import type { FallbackDraft } from '../../contracts/option.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { blankable, flag, section } from './declare.ts'

/**
 * A price per call or a pair of ratios, which exclude each other. Options are saved one by one, so an incomplete pair is
 * accepted and gives no fallback; a contradiction is refused.
 */
export const fallbackPricing = section({
  tab: 'models',
  options: {
    fallback_pricing_enabled: flag(false),
    fallback_single_price: blankable(),
    fallback_input_ratio: blankable(),
    fallback_completion_ratio: blankable(),
  },
  check: value =>
    value.fallback_pricing_enabled &&
    value.fallback_single_price &&
    (value.fallback_input_ratio || value.fallback_completion_ratio)
      ? 'option.fallback_contradiction'
      : undefined,
})

/** Checks a complete form. @throws Refusal 400 when it is contradictory or incomplete */
export function checkFallback({ enabled, single_price, input_ratio, completion_ratio }: FallbackDraft) {
  const isValid = single_price > 0 ? !input_ratio && !completion_ratio : input_ratio > 0 && completion_ratio > 0
  if (enabled && !isValid) throw new Refusal('option.fallback_contradiction')
}
