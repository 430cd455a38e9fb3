/**
 * Limits the output tokens of an outgoing request, in either field. Servers with other fields for a thinking budget
 * count it into the limit. https://platform.openai.com/docs/api-reference/chat/create and
 * https://openrouter.ai/docs/use-cases/reasoning-tokens (read 2026-11)
 */
import { budgetWithin } from '../../models/effort.ts'
import { isReasoningModel } from '../../models/traits.ts'
import type { Json } from '../../pure/json.ts'
import { limitThinking } from '../anthropic/thinking.ts'
import { isObject } from '../json/checks.ts'
import { lowered } from '../json/lowered.ts'

export function limitOutput(body: Json, limit: number, model: string): Json {
  const named = ['max_tokens', 'max_completion_tokens'].filter(field => Number(body[field]) > 0)
  const fields = named.length ? named : [isReasoningModel(model) ? 'max_completion_tokens' : 'max_tokens']
  const limited = { ...body, ...Object.fromEntries(fields.map(field => [field, lowered(body[field], limit)])) }
  return limitThinking(limitReasoning(limited, limit), limit)
}

/** Smallest budget of OpenRouter for models that have budgets. */
const BUDGET_MIN = 1024

function limitReasoning(body: Json, limit: number): Json {
  const { reasoning, thinking_budget } = body
  const limited = { ...body }
  if (isObject(reasoning) && typeof reasoning.max_tokens === 'number')
    limited.reasoning = { ...reasoning, max_tokens: budgetWithin(reasoning.max_tokens, limit, BUDGET_MIN) }
  if (typeof thinking_budget === 'number') limited.thinking_budget = budgetWithin(thinking_budget, limit, 0)
  return limited
}
