/** Lowers `max_tokens`, which limits thoughts and text together. https://docs.cohere.com/docs/reasoning (read 2026-11) */
import { budgetWithin } from '../../models/effort.ts'
import type { Json } from '../../pure/json.ts'
import { isObject } from '../json/checks.ts'
import { lowered } from '../json/lowered.ts'

const BUDGET_MIN = 1

export function limitOutput(body: Json, limit: number): Json {
  const { thinking, ...others }: Json = { ...body, max_tokens: lowered(body.max_tokens, limit) }
  if (thinking === undefined) return others
  if (!isObject(thinking) || typeof thinking.token_budget !== 'number') return { ...others, thinking }
  const token_budget = budgetWithin(thinking.token_budget, limit, BUDGET_MIN)
  return { ...others, thinking: token_budget ? { ...thinking, token_budget } : { type: 'disabled' } }
}
