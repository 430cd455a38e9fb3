/** The effort and the thinking that a chat request of any format asks for. */
import { type Effort, effortIn, efforts } from '../models/effort.ts'
import type { RequestedThinking } from '../models/hidden-thinking.ts'
import type { Json } from '../pure/json.ts'
import { objectOf } from './json/lenient-json.ts'

/** An effort in the model's name comes before one in the body. @returns undefined when the request names none */
export function requestedEffort(body: Json, model: string): Effort | undefined {
  const { reasoning_effort, reasoning, output_config, generationConfig } = body
  const { thinkingLevel } = objectOf(objectOf(generationConfig).thinkingConfig)
  const field = reasoning_effort ?? objectOf(reasoning).effort ?? objectOf(output_config).effort ?? thinkingLevel
  const word = effortIn(model).effort ?? (typeof field === 'string' ? field.toLowerCase() : undefined)
  return efforts.find(effort => effort === word)
}

/** What a chat request of any format says of thinking. */
export function requestedThinking(body: Json, model: string): RequestedThinking {
  const { type, budget_tokens } = objectOf(body.thinking)
  const { thinkingBudget } = objectOf(objectOf(body.generationConfig).thinkingConfig)
  if (type === 'disabled') return { budget: 0 }
  const effort = requestedEffort(body, model)
  const budget = [budget_tokens, thinkingBudget].find(tokens => typeof tokens === 'number' && tokens >= 0)
  const is_on = type !== undefined || thinkingBudget !== undefined
  return { ...(effort && { effort }), ...(budget !== undefined && { budget: budget as number }), is_on }
}
