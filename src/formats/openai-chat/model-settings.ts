/** Requests to OpenAI's reasoning models. https://platform.openai.com/docs/guides/reasoning (read 2026-11) */
import { effortIn } from '../../models/effort.ts'
import { isReasoningModel, withoutSampling } from '../../models/openai.ts'
import type { Json } from '../../pure/json.ts'
import { textOf } from '../json/lenient-json.ts'
import type { ApplyModelSettings } from '../translate/model-settings.ts'

/** Moves an effort from the model name to the body, and removes what reasoning models refuse. */
export const applyModelSettings: ApplyModelSettings = out => {
  const { model, effort } = effortIn(out.model)
  const body = effort ? { ...out.body, model, reasoning_effort: effort } : out.body
  const accepted = isReasoningModel(model) ? forReasoning(body, model) : body
  return accepted === out.body ? out : { model, body: accepted }
}

function forReasoning(body: Json, model: string): Json {
  const limited = withOwnLimit(withoutSampling(body, model, body.reasoning_effort))
  if (!/^o\d/.test(model)) return limited
  // The first models refuse instructions of any role.
  return /^o1-(?:mini|preview)/.test(model) ? withRole(limited, 'user') : withRole(limited, 'developer')
}

function withOwnLimit(body: Json): Json {
  if (!('max_tokens' in body)) return body
  const { max_tokens, ...others } = body
  return max_tokens === null ? others : { max_completion_tokens: max_tokens, ...others }
}

/** o-series models refuse instructions of two roles. */
function withRole(body: Json, role: 'user' | 'developer'): Json {
  const messages = body.messages as Json[]
  const isOther = (message: Json) => message.role !== role && /^(?:system|developer)$/.test(textOf(message.role))
  if (!messages.some(isOther)) return body
  return { ...body, messages: messages.map(message => (isOther(message) ? { ...message, role } : message)) }
}
