/** How hard OpenAI's models can be told to think. */
import type { Reasoning } from './canonical.ts'
import { type Effort, effortOf, nearest } from './effort.ts'
import { isOwnModel, isReasoningModel } from './openai-shared.ts'

/** The first that fits. */
const table: [RegExp, Effort[]][] = [
  [/^o\d/, ['low', 'medium', 'high']],
  [/^gpt-5-pro/, ['high']],
  [/^gpt-5(?:\.1-codex-max|\.[2-9])/, ['none', 'low', 'medium', 'high', 'xhigh']],
  [/^gpt-5\.1/, ['none', 'low', 'medium', 'high']],
  [/^gpt-5/, ['minimal', 'low', 'medium', 'high']],
]

/** Models of OpenAI's that do not think refuse to be told to. Of others it is not known, and what was said is said. */
export const canThink = (model: string): boolean => isReasoningModel(model) || !isOwnModel(model)

/** The nearest of the words that a model knows. */
export function effortFor(model: string, reasoning: Reasoning | undefined): Effort | undefined {
  const effort = reasoning && effortOf(reasoning)
  if (effort === undefined || !canThink(model)) return undefined
  const known = table.find(([pattern]) => pattern.test(model))?.[1]
  return known ? nearest(effort, known) : effort
}
