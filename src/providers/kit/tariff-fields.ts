/** Request fields by which a caller chooses another model, route or tariff than the one that is priced. */
import type { FormatName } from '../../formats/canonical/chat.ts'

/**
 * How a field is covered: `tariff` by the ratio of the tariff that it names, `tool` by the price of the searches that it
 * starts, `models` by the prices of the models that it lists. A field with none of them is refused, unless the channel
 * allows it.
 */
export interface TariffField {
  /** The response reports the tariff; until then the field's value counts. */
  tariff?: true
  /** The tool of the price table. */
  tool?: string
  /** No response reports the calls of `tool`: each one counts as one. */
  one_call?: true
  /** The field lists models, one of which may answer. */
  models?: true
  /** Values that choose nothing, beside those that are empty. */
  plain?: readonly unknown[]
}

export type TariffFields = Readonly<Record<string, TariffField>>

const refused: TariffField = {}

/** Every provider has these, since a channel of any type may stand before another gateway. */
export const tariffFields: TariffFields = {
  // https://openrouter.ai/docs/guides/routing/model-fallbacks (read 2026-11)
  models: { models: true },
  route: refused,
  provider: refused,
  preset: refused,
  plugins: refused,
  // https://docs.litellm.ai/docs/proxy/reliability and
  // https://platform.claude.com/docs/en/build-with-claude/refusals-and-fallback (read 2026-11)
  fallbacks: { models: true },
  // https://vercel.com/docs/ai-gateway/models-and-providers/provider-options (read 2026-11)
  providerOptions: refused,
  // https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1beta1/GenerationConfig (read 2026-11)
  routingConfig: refused,
  routing_config: refused,
  modelSelectionConfig: refused,
  model_selection_config: refused,
  // https://platform.openai.com/docs/guides/flex-processing (read 2026-11). Scale is paid in advance, by the account.
  service_tier: { tariff: true, plain: ['auto', 'default', 'standard', 'standard_only', 'on_demand', 'scale'] },
  // https://ai.google.dev/gemini-api/docs/priority-inference (read 2026-11): a header reports it
  serviceTier: { tariff: true, plain: ['standard', 'unspecified'] },
  // https://docs.anthropic.com/en/build-with-claude/fast-mode (read 2026-11)
  speed: { tariff: true, plain: ['standard'] },
  // https://platform.claude.com/docs/en/manage-claude/data-residency (read 2026-11)
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
    // https://developers.openai.com/api/docs/guides/tools-shell (read 2026-11): a container for each request
    shell: { tool: 'shell', one_call: true },
    // https://docs.perplexity.ai/docs/getting-started/pricing (read 2026-11)
    fetch_url: { tool: 'fetch_url' },
    finance_search: refused,
    people_search: refused,
    sandbox: refused,
  },
  // The tokens of the advisor, a model that the tool names, stand in no count that is billed.
  anthropic: { web_search: { tool: 'web_search' }, advisor: refused },
  gemini: {
    googlesearch: { tool: 'google_search' },
    googlesearchretrieval: { tool: 'google_search' },
    // https://ai.google.dev/gemini-api/docs/maps-grounding (read 2026-11)
    googlemaps: { tool: 'google_maps', one_call: true },
    // https://cloud.google.com/vertex-ai/generative-ai/pricing (read 2026-11)
    enterprisewebsearch: { tool: 'enterprise_web_search', one_call: true },
    retrieval: refused,
    parallelaisearch: refused,
    exaaisearch: refused,
  },
}

/**
 * What a container costs beside one of the smallest size, by its size.
 * https://developers.openai.com/api/docs/pricing (read 2026-11)
 */
export const containerTool = (memory_limit: string): TariffField => ({
  tool: `container_${memory_limit}`,
  one_call: true,
})

/**
 * Beta features, without their dates, that cost more with the models of these names.
 * https://docs.anthropic.com/en/build-with-claude/context-windows (read 2026-11)
 */
export const chargedBetas: Readonly<Record<string, RegExp>> = {
  // Sonnet 4 and 4.5; models since Opus 4.6 have a context of a million tokens at one price.
  'context-1m': /sonnet-4(?![-.][1-46-9](?!\d))|claude-4-sonnet/,
}
