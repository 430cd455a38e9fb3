/** How OpenAI's models differ in what they take. */

import type { Json } from '../pure/json.ts'
import { type Effort, effortOf, isOff, nearest, type Reasoning } from './effort.ts'

/** Models that OpenAI itself serves: it refuses fields that it does not know. */
export const isOwnModel = (model: string): boolean => /^(?:gpt-|o\d|chatgpt-)/.test(model)

/** The newer ones think, take no sampling, and count their thoughts into the limit that is asked for. */
export const isReasoningModel = (model: string): boolean => /^(?:o\d|gpt-5)/.test(model) && !model.includes('chat')

/** Of these, the newest can be told not to think, and then they take it. */
const canRest = (model: string): boolean => /^gpt-5\.[1-9]/.test(model)

/** Those that do not think refuse to be told to. Of others' models it is not known, and what was said is said. */
export const acceptsReasoning = (model: string): boolean => isReasoningModel(model) || !isOwnModel(model)

/** The efforts that each knows; the first that fits. */
const efforts: [RegExp, Effort[]][] = [
  [/^o\d/, ['low', 'medium', 'high']],
  [/^gpt-5-pro/, ['high']],
  [/^gpt-5(?:\.1-codex-max|\.[2-9])/, ['none', 'low', 'medium', 'high', 'xhigh']],
  [/^gpt-5\.1/, ['none', 'low', 'medium', 'high']],
  [/^gpt-5/, ['minimal', 'low', 'medium', 'high']],
]

/** The nearest of the words that a model knows. */
export function effortFor(model: string, reasoning: Reasoning | undefined): Effort | undefined {
  const effort = reasoning && effortOf(reasoning)
  if (effort === undefined || !acceptsReasoning(model)) return undefined
  const known = efforts.find(([pattern]) => pattern.test(model))?.[1]
  return known ? nearest(effort, known) : effort
}

/** Whether this time it takes sampling, and tells how likely its words were. */
export const takesSampling = (model: string, reasoning: Reasoning | undefined): boolean =>
  !isReasoningModel(model) || (canRest(model) && reasoning !== undefined && isOff(reasoning))

const sampling = new Set([
  ...['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'],
  ...['logprobs', 'top_logprobs', 'logit_bias'],
])

/** A request in OpenAI's words without what a model that thinks refuses. @param effort what it says; `none` unless it does */
export function withoutSampling(body: Json, model: string, effort: unknown = 'none'): Json {
  const rests = canRest(model) && effort === 'none'
  if (rests || !Object.keys(body).some(name => sampling.has(name))) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !sampling.has(name)))
}
