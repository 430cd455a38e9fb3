import { traitsOf } from '../../models/traits.ts'
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
/** No budget may be smaller, and with so many tokens there is room for an answer beside it. */
const [LEAST_BUDGET, LEAST_LIMIT] = [1024, 1280]
/** Models that write no more are held to it. */
const SHORT = 4096

/** The format knows no request without a limit. What was put there for want of one yields to the operator's. */
function withLimit({ model, body }: OutgoingRequest, { claude, requested_output }: ModelSettings): OutgoingRequest {
  if (requested_output !== undefined) return { model, body }
  const base = baseOf(model)
  const limits = claude.max_tokens
  const { max_output } = traitsOf(base, 'anthropic')
  const room =
    limits[model] ?? limits[base] ?? (max_output > SHORT ? limits.default! : Math.min(limits.default!, SHORT))
  return { model, body: { ...body, max_tokens: room + budgetIn(body) } }
}

const asksToThink = (model: string) => model.endsWith(SUFFIX) && !traitsOf(model, 'anthropic').named_thinking

const baseOf = (model: string) => (asksToThink(model) ? model.slice(0, -SUFFIX.length) : model)

const budgetIn = ({ thinking }: Json): number => Number((thinking as Json | undefined)?.budget_tokens ?? 0)

function withThinking(out: OutgoingRequest, { enabled, share }: ThinkingSettings): OutgoingRequest {
  if (!enabled || !asksToThink(out.model)) return out
  const model = baseOf(out.model)
  const { thinking } = traitsOf(model, 'anthropic')
  const cannot = !thinking || isForced(out.body)
  if (out.body.thinking || cannot) return { model, body: { ...out.body, model } }
  // Whoever thinks is not to be told how to draw lots.
  const { temperature: _, top_p: __, top_k: ___, ...body } = out.body
  if (!thinking.budget) return { model, body: { ...body, model, thinking: { type: 'adaptive' } } }
  const max_tokens = Math.max(Number(body.max_tokens), LEAST_LIMIT)
  const budget_tokens = Math.max(LEAST_BUDGET, Math.trunc(max_tokens * share))
  return { model, body: { ...body, model, max_tokens, thinking: { type: 'enabled', budget_tokens } } }
}

/** Who is made to call a tool cannot think first. */
const isForced = ({ tool_choice }: Json) => ['any', 'tool'].includes(String((tool_choice as Json | undefined)?.type))
