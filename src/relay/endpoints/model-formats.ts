/** A model of the list in the format of each client. */
import type { Price } from '../../billing/price.ts'
import type { PriceBasis } from '../../billing/task-price.ts'
import type { Bucket } from '../../billing/usage.ts'
import { inputMaxOf } from '../../models/input-max.ts'
import { kindOf } from '../../models/kinds.ts'
import { outputMaxOf } from '../../models/output-max.ts'
import { traitsOf } from '../../models/traits.ts'
import { numberOf, plain, product } from '../../pure/decimal.ts'
import { claudeCapabilities } from './claude-capabilities.ts'
import { anthropicPage, geminiPage, type ModelPage } from './model-pages.ts'

export interface ServedModel {
  /** Name that clients use. */
  id: string
  /** The upstream's name, which tells what the model can do. */
  upstream: string
  /** Absent for a task that has a price of its own. */
  price?: Price
  task?: Pick<PriceBasis, 'price' | 'group_ratio'>
}

export interface ModelListFormat {
  /** @throws Refusal 400 for a page that does not exist */
  page(models: ServedModel[], query: URLSearchParams): ModelPage<ServedModel>
  list(page: ModelPage<ServedModel>): unknown
  one(model: ServedModel): unknown
}

/** Clients require a creation time, which is unknown: 2021-07-20. */
const CREATED = 1_626_777_600

export const openAiModels: ModelListFormat = {
  page: models => ({ models, has_more: false }),
  list: ({ models }) => ({ object: 'list', data: models.map(openAiModels.one) }),
  one: ({ id, ...priced }) => ({
    id,
    object: 'model',
    created: CREATED,
    owned_by: 'tollgate',
    root: id,
    parent: null,
    pricing: pricingOf(priced),
  }),
}

/** https://platform.claude.com/docs/en/api/models/list (read 2026-11) */
export const anthropicModels: ModelListFormat = {
  page: anthropicPage,
  list: ({ models, has_more }) => ({
    data: models.map(anthropicModels.one),
    first_id: models[0]?.id ?? null,
    last_id: models.at(-1)?.id ?? null,
    has_more,
  }),
  one: ({ id, upstream, ...priced }) => ({
    type: 'model',
    id,
    display_name: id,
    created_at: new Date(CREATED * 1000).toISOString(),
    lifecycle: 'active',
    line: /claude-(?:[\d.-]+)?(opus|sonnet|haiku|fable|mythos)/.exec(upstream)?.[1] ?? null,
    deprecated_at: null,
    retires_at: null,
    max_input_tokens: inputMaxOf(upstream) ?? null,
    max_tokens: outputMaxOf(upstream) ?? null,
    capabilities: upstream.includes('claude') ? claudeCapabilities(upstream) : null,
    pricing: pricingOf(priced),
  }),
}

/** https://ai.google.dev/api/models (read 2026-11) */
export const geminiModels: ModelListFormat = {
  page: geminiPage,
  list: ({ models, has_more }) => ({
    models: models.map(geminiModels.one),
    ...(has_more && { nextPageToken: models.at(-1)!.id }),
  }),
  one: ({ id, upstream, ...priced }) => ({
    name: `models/${id}`,
    baseModelId: id,
    version: 'v1beta',
    displayName: id,
    description: '',
    // Absent for a model that is not known.
    inputTokenLimit: inputMaxOf(upstream),
    outputTokenLimit: kindOf(upstream) === 'embeddings' ? 1 : outputMaxOf(upstream),
    supportedGenerationMethods: methodsOf(upstream),
    ...(thinks(upstream) && { thinking: true }),
    pricing: pricingOf(priced),
  }),
}

function methodsOf(model: string): string[] {
  if (model.includes('imagen')) return ['predict']
  switch (kindOf(model)) {
    case 'embeddings':
      return ['embedContent', 'batchEmbedContents', 'countTokens']
    case 'chat':
      return ['generateContent', 'streamGenerateContent', 'countTokens']
    default:
      return model.includes('gemini') ? ['generateContent', 'streamGenerateContent', 'countTokens'] : []
  }
}

const makers = [
  ['google', /gemini/],
  ['anthropic', /claude/],
  ['openai', /^(?:gpt-|o\d)/],
  ['deepseek', /deepseek/],
  ['moonshot', /kimi/],
] as const

function thinks(model: string): boolean {
  const maker = makers.find(([, names]) => names.test(model))?.[0]
  return maker !== undefined && kindOf(model) === 'chat' && traitsOf(model, maker).thinking !== undefined
}

/** USD for this caller, per token or per call, with OpenRouter's field names. https://openrouter.ai/docs/api-reference/list-available-models (read 2026-08) */
/** A task by the second or by tokens has no price that stands here. */
function pricingOf({ price, task }: Pick<ServedModel, 'price' | 'task'>): Record<string, string> {
  if (!price) return task?.price.unit === 'call' ? { request: printed(task.price.price * task.group_ratio) } : {}
  const usd = (name: Bucket | 'call'): string | undefined => {
    const rate = price.rates[name]
    if (!rate) return undefined
    const quota = numberOf(product({ digits: rate.digits, scale: price.scale }, price.group))
    return printed(quota / price.quota_per_unit)
  }
  const fields = price.mode === 'call' ? { request: usd('call') } : perToken(usd)
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

const printed = (usd: number) => plain(Number(usd.toPrecision(12)))

const perToken = (usd: (bucket: Bucket) => string | undefined) => ({
  prompt: usd('input'),
  completion: usd('output'),
  input_cache_read: usd('cache_read'),
  input_cache_write: usd('cache_write_5m'),
})
