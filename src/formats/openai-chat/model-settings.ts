/**
 * Applies what OpenAI's reasoning models require: the effort suffix, `max_completion_tokens`, one role for
 * instructions, no sampling. https://platform.openai.com/docs/guides/reasoning (read 2026-11)
 */
import { effortIn } from '../../models/effort.ts'
import { isReasoningModel, traitsOf } from '../../models/traits.ts'
import type { Json } from '../../pure/json.ts'
import { textOf } from '../json/lenient-json.ts'
import { withoutSampling } from '../openai-shared.ts'
import type { ApplyModelSettings } from '../translate/model-settings.ts'

export const applyModelSettings: ApplyModelSettings = out => {
  const { model, effort } = effortIn(out.model)
  const body = effort ? { ...out.body, model, reasoning_effort: effort } : out.body
  const adapted = isReasoningModel(model) ? adaptedToReasoning(body, model) : body
  return adapted === out.body ? out : { model, body: adapted }
}

function adaptedToReasoning(body: Json, model: string): Json {
  const adapted = withCompletionLimit(withoutSampling(body, model, body.reasoning_effort))
  const { instructions_role } = traitsOf(model, 'openai')
  return instructions_role ? withRole(adapted, instructions_role) : adapted
}

function withCompletionLimit(body: Json): Json {
  if (!('max_tokens' in body)) return body
  const { max_tokens, ...others } = body
  return max_tokens === null ? others : { max_completion_tokens: max_tokens, ...others }
}

/** Gives all instructions one role: reasoning models reject system beside developer messages. */
function withRole(body: Json, role: 'user' | 'developer'): Json {
  const messages = body.messages as Json[]
  const isOther = (message: Json) => message.role !== role && /^(?:system|developer)$/.test(textOf(message.role))
  if (!messages.some(isOther)) return body
  return { ...body, messages: messages.map(message => (isOther(message) ? { ...message, role } : message)) }
}
