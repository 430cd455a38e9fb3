import { effortIn } from '../../models/effort.ts'
import { isReasoningModel, traitsOf } from '../../models/traits.ts'
import type { Json } from '../../pure/json.ts'
import { textOf } from '../json/lenient-json.ts'
import { withoutSampling } from '../openai-shared.ts'
import type { ApplyModelSettings } from '../translate/model-settings.ts'

/** What OpenAI's reasoning models want otherwise than the models before them. */
export const applyModelSettings: ApplyModelSettings = out => {
  const { model, effort } = effortIn(out.model)
  const body = effort ? { ...out.body, model, reasoning_effort: effort } : out.body
  const fitted = isReasoningModel(model) ? fitReasoner(body, model) : body
  return fitted === out.body ? out : { model, body: fitted }
}

function fitReasoner(body: Json, model: string): Json {
  const fitted = withOwnLimit(withoutSampling(body, model, body.reasoning_effort))
  const { instructions_role } = traitsOf(model, 'openai')
  return instructions_role ? withRole(fitted, instructions_role) : fitted
}

function withOwnLimit(body: Json): Json {
  if (!('max_tokens' in body)) return body
  const { max_tokens, ...others } = body
  return max_tokens === null ? others : { max_completion_tokens: max_tokens, ...others }
}

/** They refuse a request in which instructions come from two roles. */
function withRole(body: Json, role: 'user' | 'developer'): Json {
  const messages = body.messages as Json[]
  const isOther = (message: Json) => message.role !== role && /^(?:system|developer)$/.test(textOf(message.role))
  if (!messages.some(isOther)) return body
  return { ...body, messages: messages.map(message => (isOther(message) ? { ...message, role } : message)) }
}
