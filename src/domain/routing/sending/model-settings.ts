/** Options about providers' models, as requests need them. */
import type { ModelSettings } from '../../../providers/index.ts'
import { option } from '../../options/index.ts'

/** The options are read for formats that need them alone. */
class ReadSettings implements ModelSettings {
  constructor(
    readonly requested_model: string,
    readonly requested_output: number | undefined,
  ) {}

  get claude() {
    return {
      thinking: {
        enabled: option('claude.thinking_adapter_enabled'),
        share: option('claude.thinking_adapter_budget_tokens_percentage'),
      },
      max_tokens: option('claude.default_max_tokens'),
      headers: option('claude.model_headers_settings'),
    }
  }

  get gemini() {
    return {
      thinking: {
        enabled: option('gemini.thinking_adapter_enabled'),
        share: option('gemini.thinking_adapter_budget_tokens_percentage'),
      },
      budgeted: option('gemini.models_supported_thinking_budget'),
      safety: option('gemini.safety_settings'),
      versions: option('gemini.version_settings'),
      imagining: option('gemini.supported_imagine_models'),
    }
  }
}

export const modelSettingsFor = (requested_model: string, requested_output: number | undefined): ModelSettings =>
  new ReadSettings(requested_model, requested_output)
