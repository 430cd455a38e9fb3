/** Thinking suffixes, output limits and headers of Claude models. https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking (read 2026-11) */
import { traitsOf } from '../../models/anthropic.ts'
import type { Json } from '../../pure/json.ts'
import type {
  ApplyModelSettings,
  ModelSettings,
  OutgoingRequest,
  ThinkingSettings,
} from '../translate/model-settings.ts'

export const applyModelSettings: ApplyModelSettings = (out, settings) => {
  const thinking = withThinking(withLimit(out, settings), settings.claude.thinking)
  const headers = settings.claude.headers[settings.requested_model]
  return headers ? { ...thinking, headers: mapValues(headers, values => values.join(',')) } : thinking
}

const mapValues = <From, To>(object: Record<string, From>, map: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]))

const SUFFIX = '-thinking'
/** Moonshot's models, whose own names end in the suffix. */
const ownName = /kimi-k\d[\w.]*-thinking$/
/** Tokens: the smallest budget that Anthropic accepts, and the smallest limit with room for an answer beside it. */
const [BUDGET_MIN, LIMIT_MIN] = [1024, 1280]
/** Tokens: the output limit of older models. */
const SHORT_OUTPUT = 4096

/** Sets the operator's limit in a request whose client set none: the format requires one. */
function withLimit({ model, body }: OutgoingRequest, { claude, requested_output }: ModelSettings): OutgoingRequest {
  if (requested_output !== undefined) return { model, body }
  const base = baseOf(model)
  const limits = claude.max_tokens
  const { max_output } = traitsOf(base)
  const room =
    limits[model] ??
    limits[base] ??
    (max_output > SHORT_OUTPUT ? limits.default! : Math.min(limits.default!, SHORT_OUTPUT))
  return { model, body: { ...body, max_tokens: room + budgetIn(body) } }
}

const asksToThink = (model: string) => model.endsWith(SUFFIX) && !ownName.test(model)

const baseOf = (model: string) => (asksToThink(model) ? model.slice(0, -SUFFIX.length) : model)

const budgetIn = ({ thinking }: Json): number => Number((thinking as Json | undefined)?.budget_tokens ?? 0)

function withThinking(out: OutgoingRequest, { enabled, share }: ThinkingSettings): OutgoingRequest {
  if (!enabled || !asksToThink(out.model)) return out
  const model = baseOf(out.model)
  const { thinking } = traitsOf(model)
  const cannot = thinking === 'none' || isForced(out.body)
  if (out.body.thinking || cannot) return { model, body: { ...out.body, model } }
  // Anthropic rejects temperature, top_p and top_k together with thinking.
  const { temperature: _, top_p: __, top_k: ___, ...body } = out.body
  if (thinking === 'adaptive') return { model, body: { ...body, model, thinking: { type: 'adaptive' } } }
  const max_tokens = Math.max(Number(body.max_tokens), LIMIT_MIN)
  const budget_tokens = Math.max(BUDGET_MIN, Math.trunc(max_tokens * share))
  return { model, body: { ...body, model, max_tokens, thinking: { type: 'enabled', budget_tokens } } }
}

/** Anthropic rejects thinking together with a forced tool call. */
const isForced = ({ tool_choice }: Json) => ['any', 'tool'].includes(String((tool_choice as Json | undefined)?.type))
