/** Request fields by which a caller chooses another model, route or tariff than the one that is priced. */
import type { FormatName } from '../formats/canonical/chat.ts'

/**
 * How a field is covered: `tariff` by the ratio of the tariff that it names, `tool` by the price of the searches that it
 * starts. A field with neither is refused, unless the channel allows it.
 */
export interface TariffField {
  /** The response reports the tariff; until then the field's value counts. */
  tariff?: true
  /** The tool of the price table. */
  tool?: string
  /** No response reports the calls of `tool`: each one counts as one. */
  one_call?: true
  /** Values that choose nothing, beside those that are empty. */
  plain?: readonly unknown[]
}

export type TariffFields = Readonly<Record<string, TariffField>>

const refused: TariffField = {}

/** Every provider has these, since a channel of any type may stand before another gateway. */
export const tariffFields: TariffFields = {
  // https://openrouter.ai/docs/guides/routing/model-fallbacks (read 2026-11)
  models: refused,
  route: refused,
  provider: refused,
  preset: refused,
  plugins: refused,
  // https://docs.litellm.ai/docs/proxy/reliability (read 2026-11)
  fallbacks: refused,
  // https://vercel.com/docs/ai-gateway/models-and-providers/provider-options (read 2026-11)
  providerOptions: refused,
  // https://platform.openai.com/docs/guides/flex-processing (read 2026-11)
  service_tier: { tariff: true, plain: ['auto', 'default', 'standard', 'standard_only', 'on_demand'] },
  // https://ai.google.dev/gemini-api/docs/priority-inference (read 2026-11): only a header reports it
  serviceTier: { plain: ['standard', 'STANDARD', 'SERVICE_TIER_UNSPECIFIED'] },
  // https://docs.anthropic.com/en/build-with-claude/fast-mode (read 2026-11)
  speed: { tariff: true, plain: ['standard'] },
  inference_geo: { tariff: true, plain: ['global'] },
  // https://platform.openai.com/docs/guides/tools-web-search (read 2026-11)
  web_search_options: refused,
  // https://docs.x.ai/docs/guides/live-search (read 2026-11)
  search_parameters: refused,
  // https://help.aliyun.com/zh/model-studio/web-search (read 2026-11)
  enable_search: refused,
  // https://cloud.baidu.com/doc/qianfan-docs/s/Jm8r1826a (read 2026-11)
  web_search: refused,
}

/** Tools that the provider runs and charges apart, by format. Those of OpenAI chat that are no functions all are. */
export const chargedTools: Partial<Record<FormatName, TariffFields>> = {
  'openai-responses': {
    web_search: { tool: 'web_search' },
    x_search: { tool: 'x_search' },
    file_search: { tool: 'file_search' },
    code_interpreter: { tool: 'code_interpreter' },
    image_generation: { tool: 'image_generation' },
    // https://docs.perplexity.ai/docs/getting-started/pricing (read 2026-11)
    fetch_url: { tool: 'fetch_url' },
    finance_search: refused,
    people_search: refused,
    sandbox: refused,
  },
  // The advisor is a model that the tool names.
  anthropic: { web_search: { tool: 'web_search' }, advisor: refused },
  gemini: {
    googlesearch: { tool: 'google_search' },
    googlesearchretrieval: { tool: 'google_search' },
    googlemaps: refused,
    enterprisewebsearch: refused,
  },
}

/** Beta features that open a tariff, without their dates. */
export const chargedBetas = ['context-1m', 'fast-mode'] as const
