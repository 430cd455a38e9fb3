/** Whether and how much the model thinks, and what room its answer gets beside its thoughts. */

import { budgetOf, budgets, type Effort, effortOf, isOff, nearest } from '../../models/effort.ts'
import { type ModelTraits, traitsOf } from '../../models/traits.ts'
import type { Json } from '../../pure/json.ts'
import type { ChatMessage, ChatRequest, Reasoning } from '../canonical/chat.ts'
import { ownedBy } from '../translate/signature.ts'

export interface Thinking {
  max_tokens: number
  thinking?: Json
  output_config?: Json
  is_on: boolean
}

/** No budget may be smaller. */
const LEAST = 1024
/** Of a limit that the caller sets, the most that thoughts may take. */
const SHARE = 0.8

export function writeThinking(request: ChatRequest): Thinking {
  const { reasoning, max_output } = request
  const traits = traitsOf(request.model, 'anthropic')
  const off = { max_tokens: max_output ?? traits.max_output, is_on: false }
  if (!reasoning || !traits.thinking) return off
  const silent = { ...off, thinking: { type: 'disabled' } }
  if (isOff(reasoning)) return silent
  if (isForced(request) || hasUnsignedRound(request.messages)) return off
  const { budget, efforts } = traits.thinking
  return efforts && (!budget || reasoning.adaptive)
    ? adaptive(reasoning, off.max_tokens, efforts)
    : budgeted(reasoning, max_output, traits)
}

function adaptive(reasoning: Reasoning, max_tokens: number, efforts: readonly Effort[]): Thinking {
  const effort = effortOf(reasoning)
  return {
    max_tokens,
    is_on: true,
    thinking: { type: 'adaptive', ...(reasoning.show ? undefined : { display: 'omitted' }) },
    output_config: effort && { effort: nearest(effort, efforts) },
  }
}

/** The caller's limit holds for thoughts and answer together; without one, the answer gets its room beside them. */
function budgeted(reasoning: Reasoning, max_output: number | undefined, { max_output: room }: ModelTraits): Thinking {
  const wanted = Math.max(LEAST, budgetOf(reasoning) ?? budgets.medium)
  const given = reasoning.budget !== undefined && max_output !== undefined && wanted < max_output
  const budget = given || max_output === undefined ? wanted : Math.min(wanted, Math.floor(max_output * SHARE))
  const max_tokens = max_output ?? budget + room
  if (budget < LEAST) return { max_tokens, is_on: false }
  const effort = reasoning.budget === undefined ? undefined : reasoning.effort
  return {
    max_tokens,
    is_on: true,
    thinking: { type: 'enabled', budget_tokens: budget },
    output_config: effort && { effort },
  }
}

/** Who is made to call a tool cannot think first. */
const isForced = ({ tools, tool_choice }: ChatRequest): boolean =>
  tools.length > 0 && (tool_choice?.kind === 'required' || tool_choice?.kind === 'tool')

/**
 * Whether a round of tool calls is under way whose thoughts cannot be shown again, for want of a signature: the
 * provider would refuse to let the model go on thinking in it.
 */
function hasUnsignedRound(turns: ChatMessage[]): boolean {
  const begin = turns.findLastIndex(
    ({ role, parts }) => role === 'user' && parts.some(({ kind }) => kind !== 'tool_result'),
  )
  const calling = turns.slice(begin + 1).filter(({ parts }) => parts.some(({ kind }) => kind === 'tool_call'))
  return calling.some(
    ({ parts }) => !parts.some(part => part.kind === 'thinking' && ownedBy('anthropic', part.signature)),
  )
}
