/**
 * Limits the output tokens of an outgoing request; thoughts count as output.
 * https://ai.google.dev/gemini-api/docs/thinking (read 2026-11)
 */
import { budgetWithin } from '../../models/effort.ts'
import { traitsOf } from '../../models/traits.ts'
import type { Json } from '../../pure/json.ts'
import { objectOf } from '../json/lenient-json.ts'
import { lowered } from '../json/lowered.ts'
import { fieldOf } from './names.ts'

export function limitOutput(body: Json, limit: number, model: string): Json {
  const config = fieldOf(body, 'generationConfig')
  const fields = objectOf(config.value)
  const max = fieldOf(fields, 'maxOutputTokens')
  const limited = { ...fields, [max.name]: lowered(max.value, limit), ...thinkingWithin(fields, limit, model) }
  return { ...body, [config.name]: limited }
}

/** The model's own decision (-1) stays within the limit by itself. */
function thinkingWithin(fields: Json, limit: number, model: string): Json {
  const config = fieldOf(fields, 'thinkingConfig')
  const thinking = objectOf(config.value)
  const { name, value } = fieldOf(thinking, 'thinkingBudget')
  if (typeof value !== 'number' || value <= 0) return {}
  const { budget, can_stop } = traitsOf(model, 'google').thinking ?? {}
  const min = budget?.min ?? 0
  return { [config.name]: { ...thinking, [name]: budgetWithin(value, limit, min) ?? (can_stop ? 0 : min) } }
}
