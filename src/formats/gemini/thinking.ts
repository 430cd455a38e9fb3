/**
 * Writes `thinkingConfig`: a budget in tokens for Gemini 2.5, a level for Gemini 3 and later.
 * https://ai.google.dev/gemini-api/docs/thinking (read 2026-11)
 */
import { budgetOf, effortOf, isOff, nearest } from '../../models/effort.ts'
import { traitsOf } from '../../models/traits.ts'
import type { ChatRequest, Reasoning } from '../canonical/chat.ts'
import type { GeminiThinking } from './wire.ts'

/** The budget with which the model decides itself. */
export const DYNAMIC = -1

export function writeThinking({
  reasoning,
  model,
}: Pick<ChatRequest, 'reasoning' | 'model'>): GeminiThinking | undefined {
  const { thinking } = traitsOf(model, 'google')
  if (!reasoning || !thinking) return undefined
  const includeThoughts = reasoning.show
  const { budget, efforts = [], can_stop } = thinking
  if (budget) return { includeThoughts, thinkingBudget: writeBudget(reasoning, { ...budget, can_stop }) }
  const effort = effortOf(reasoning)
  return { includeThoughts, thinkingLevel: effort && nearest(effort, efforts) }
}

interface Range {
  min: number
  max: number
  can_stop: boolean | undefined
}

function writeBudget(reasoning: Reasoning, { min, max, can_stop }: Range): number | undefined {
  if (reasoning.adaptive && reasoning.effort === undefined) return DYNAMIC
  if (isOff(reasoning)) return can_stop ? 0 : min
  const budget = budgetOf(reasoning)
  return budget === undefined ? undefined : Math.min(Math.max(budget, min), max)
}
