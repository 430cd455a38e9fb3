/**
 * Applies the operator's Claude settings to an outgoing request: default `max_tokens`, beta headers, and the
 * `-thinking` model suffix. https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking (read 2026-11)
 */
import { outputMaxOf } from '../../models/output-max.ts'
import { traitsOf } from '../../models/traits.ts'
import type { Json } from '../../pure/json.ts'
import type {
  ApplyModelSettings,
  ModelSettings,
  OutgoingRequest,
  ThinkingSettings,
} from '../translate/model-settings.ts'
import { BUDGET_MIN, defaultOutput, limitThinking } from './thinking.ts'

export const applyModelSettings: ApplyModelSettings = (out, settings) => {
  const thinking = withThinking(withLimit(out, settings), settings.claude.thinking)
  const headers = settings.claude.headers[settings.requested_model]
  return headers ? { ...thinking, headers: mapValues(headers, values => values.join(',')) } : thinking
}

const mapValues = <From, To>(object: Record<string, From>, map: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]))

const SUFFIX = '-thinking'
/** Leaves room for text beside the smallest budget. */
const MAX_TOKENS_MIN = 1280

/**
 * `max_tokens` is required. When the client sets none, the operator's default replaces the model's own maximum, which
 * translation wrote; a thinking budget is added to it, as far as the model goes.
 */
function withLimit({ model, body }: OutgoingRequest, { claude, requested_output }: ModelSettings): OutgoingRequest {
  if (requested_output !== undefined) return { model, body }
  const base = baseOf(model)
  const most = outputMaxOf(base)
  const named = claude.max_tokens[model] ?? claude.max_tokens[base]
  const general = claude.max_tokens.default
  const limit = named ?? (general === undefined ? undefined : Math.min(general, most ?? general))
  const longest = Math.max(limit ?? 0, most ?? Number.POSITIVE_INFINITY)
  const max_tokens = limit === undefined ? defaultOutput(base) : Math.min(limit + budgetIn(body), longest)
  return { model, body: limitThinking({ ...body, max_tokens }, max_tokens) }
}

const hasThinkingSuffix = (model: string) => model.endsWith(SUFFIX) && !traitsOf(model, 'anthropic').named_thinking

const baseOf = (model: string) => (hasThinkingSuffix(model) ? model.slice(0, -SUFFIX.length) : model)

const budgetIn = ({ thinking }: Json): number => Number((thinking as Json | undefined)?.budget_tokens ?? 0)

function withThinking(out: OutgoingRequest, { enabled, share }: ThinkingSettings): OutgoingRequest {
  if (!enabled || !hasThinkingSuffix(out.model)) return out
  const model = baseOf(out.model)
  const { thinking } = traitsOf(model, 'anthropic')
  const isUnsupported = !thinking || forcesTool(out.body)
  if (out.body.thinking || isUnsupported) return { model, body: { ...out.body, model } }
  // Anthropic rejects temperature, top_p and top_k together with thinking.
  const { temperature: _, top_p: __, top_k: ___, ...body } = out.body
  if (!thinking.budget) return { model, body: { ...body, model, thinking: { type: 'adaptive' } } }
  const max_tokens = Math.max(Number(body.max_tokens), MAX_TOKENS_MIN)
  const budget_tokens = Math.max(BUDGET_MIN, Math.trunc(max_tokens * share))
  return { model, body: { ...body, model, max_tokens, thinking: { type: 'enabled', budget_tokens } } }
}

/** Anthropic rejects thinking together with a forced tool choice. */
const forcesTool = ({ tool_choice }: Json) => ['any', 'tool'].includes(String((tool_choice as Json | undefined)?.type))
