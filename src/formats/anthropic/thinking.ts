/**
 * Writes `thinking` and `output_config.effort`, and `max_tokens`, which leaves room for text beside the thinking
 * budget. https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking (read 2026-11)
 */
import {
  BUDGET_SHARE_MAX,
  budgetOf,
  budgets,
  budgetWithin,
  type Effort,
  effortOf,
  isOff,
  nearest,
} from '../../models/effort.ts'
import { outputMaxOf } from '../../models/output-max.ts'
import { type ThinkingTraits, traitsOf } from '../../models/traits.ts'
import type { Json } from '../../pure/json.ts'
import type { ChatRequest, Reasoning } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { objectsOf, textOf } from '../json/lenient-json.ts'
import type { AnthropicOutput, AnthropicThinking } from './wire.ts'

interface ThinkingFields {
  max_tokens: number
  thinking?: AnthropicThinking
  output_config?: AnthropicOutput
  is_on: boolean
}

/** Smallest `budget_tokens` that the API accepts. */
export const BUDGET_MIN = 1024

/** @param messages as they are written */
export function writeThinking(request: ChatRequest, messages: readonly Json[]): ThinkingFields {
  const { reasoning, max_output } = request
  const traits = traitsOf(request.model, 'anthropic')
  const off = { max_tokens: max_output ?? defaultOutput(request.model), is_on: false }
  if (!reasoning || !traits.thinking) return off
  if (isOff(reasoning)) return { ...off, ...turnedOff(traits.thinking) }
  if (isForced(request)) return off
  const { budget, efforts } = traits.thinking
  const isUnsigned = lacksThought(messages)
  if (efforts && (!budget || reasoning.adaptive || isUnsigned)) return adaptive(reasoning, off.max_tokens, efforts)
  return isUnsigned ? off : budgeted(reasoning, max_output, off.max_tokens)
}

/** A model that always thinks is asked for the least. */
const turnedOff = ({ can_stop }: ThinkingTraits): Partial<ThinkingFields> =>
  can_stop === false ? { output_config: { effort: 'low' }, is_on: true } : { thinking: { type: 'disabled' } }

/** Output limit of a model that is not known. */
const OUTPUT_DEFAULT = 8192

/** The API requires a limit: without one of the client's, the model's own holds. */
export const defaultOutput = (model: string): number => outputMaxOf(model) ?? OUTPUT_DEFAULT

function adaptive(reasoning: Reasoning, max_tokens: number, efforts: readonly Effort[]): ThinkingFields {
  const effort = effortOf(reasoning)
  return {
    max_tokens,
    is_on: true,
    thinking: { type: 'adaptive', display: reasoning.show ? undefined : 'omitted' },
    output_config: effort && { effort: nearest(effort, efforts) },
  }
}

/** `max_tokens` limits thinking and text together. A budget that the client sets itself is kept when it fits. */
function budgeted(reasoning: Reasoning, max_output: number | undefined, max_tokens: number): ThinkingFields {
  const wanted = Math.max(BUDGET_MIN, budgetOf(reasoning) ?? budgets.medium)
  const isExplicit = reasoning.budget !== undefined && max_output !== undefined && wanted < max_output
  const budget = isExplicit ? wanted : Math.min(wanted, Math.floor(max_tokens * BUDGET_SHARE_MAX))
  if (budget < BUDGET_MIN) return { max_tokens, is_on: false }
  const effort = reasoning.budget === undefined ? undefined : reasoning.effort
  return {
    max_tokens,
    is_on: true,
    thinking: { type: 'enabled', budget_tokens: budget },
    output_config: effort && { effort },
  }
}

/** Lowers the budget of an outgoing request into its limit of output tokens; without room for text, thinking is off. */
export function limitThinking(body: Json, limit: number): Json {
  const { thinking, ...others } = body
  if (!isObject(thinking) || typeof thinking.budget_tokens !== 'number') return body
  const budget_tokens = budgetWithin(thinking.budget_tokens, limit, BUDGET_MIN)
  return budget_tokens === undefined ? others : { ...body, thinking: { ...thinking, budget_tokens } }
}

/** Anthropic rejects thinking together with a forced tool choice. */
const isForced = ({ tools, tool_choice }: ChatRequest): boolean =>
  tools.length > 0 && (tool_choice?.kind === 'required' || tool_choice?.kind === 'tool')

/**
 * Whether an open round of tools has a call, or the conversation ends in a message, without a thought signed by
 * Anthropic before it. The API rejects a budget of thinking there; adaptive thinking needs none.
 * https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking#validation-changes (read 2026-11)
 */
function lacksThought(messages: readonly Json[]): boolean {
  const start = messages.findLastIndex(message => message.role === 'user' && !has(message, 'tool_result')) + 1
  return messages.slice(start).some((message, index, open) => {
    if (message.role !== 'assistant' || (index < open.length - 1 && !has(message, 'tool_use'))) return false
    return !/thinking$/.test(textOf(objectsOf(message.content)[0]?.type))
  })
}

const has = ({ content }: Json, kind: string) => objectsOf(content).some(({ type }) => type === kind)
