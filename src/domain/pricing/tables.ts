/** The price tables: of the options in force, of a draft, of a stored version. */
import type { Fallback, PriceTables } from '../../billing/price.ts'
import { digest } from '../../crypto/sealing.ts'
import { completionFamilies } from '../../models/completion-ratios.ts'
import type { OptionState } from '../options/index.ts'

const VERSION_LENGTH = 12

/** The version is a digest of the content: equal on all nodes and after a restart. */
export function tablesOf(options: OptionState): PriceTables {
  const tables = {
    ModelPrice: options.value('ModelPrice'),
    ModelRatio: options.value('ModelRatio'),
    CompletionRatio: options.value('CompletionRatio'),
    CacheRatio: options.value('CacheRatio'),
    CacheCreationRatio: options.value('CacheCreationRatio'),
    CacheCreationHourRatio: options.value('CacheCreationHourRatio'),
    AudioRatio: options.value('AudioRatio'),
    AudioCompletionRatio: options.value('AudioCompletionRatio'),
    ImageRatio: options.value('ImageRatio'),
    ReasoningRatio: options.value('ReasoningRatio'),
    TierRatio: options.value('TierRatio'),
    ToolPrice: options.value('ToolPrice'),
    TariffRatio: options.value('TariffRatio'),
    QuotaPerUnit: options.value('QuotaPerUnit'),
    fallback: fallbackOf(options),
    families: completionFamilies,
  }
  return { ...tables, version: digest(JSON.stringify(tables)).slice(0, VERSION_LENGTH) }
}

/** @returns undefined while the option is off or incomplete */
function fallbackOf(options: OptionState): Fallback | undefined {
  if (!options.value('fallback_pricing_enabled')) return undefined
  const [model_price, model_ratio, completion_ratio] = [
    options.value('fallback_single_price'),
    options.value('fallback_input_ratio'),
    options.value('fallback_completion_ratio'),
  ]
  if (model_price) return { model_price }
  return model_ratio && completion_ratio ? { model_ratio, completion_ratio } : undefined
}
