/** Writes `thinking`, which models without thoughts refuse. https://docs.cohere.com/docs/reasoning (read 2026-11) */
import { canThink } from '../../models/command.ts'
import { budgetOf, budgetWithin, isOff } from '../../models/effort.ts'
import type { ChatRequest } from '../canonical/chat.ts'
import type { CohereThinking } from './wire.ts'

/** @returns undefined where the model decides: it thinks by default */
export function writeThinking({ reasoning, model, max_output }: ChatRequest): CohereThinking | undefined {
  if (!reasoning || !canThink(model)) return undefined
  if (isOff(reasoning)) return { type: 'disabled' }
  const budget = budgetOf(reasoning)
  const token_budget = budget && max_output !== undefined ? budgetWithin(budget, max_output, 1) : budget
  return { type: 'enabled', token_budget }
}
