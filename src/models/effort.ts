/** How hard a model is to think: some providers take a word, others a number of tokens. One table joins them. */

export const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type Effort = (typeof efforts)[number]

export interface Reasoning {
  effort?: Effort
  /** The most tokens to think with; 0 for none. */
  budget?: number
  /** The model is to decide for itself how much. */
  adaptive?: true
  /** Whether thoughts are to be told. */
  show?: boolean
}

/** Tokens to think with. `xhigh` and `max` mean as much as the model can. */
export const budgets: Record<Effort, number> = {
  none: 0,
  minimal: 0,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 65_536,
  max: 65_536,
}

/** @returns undefined where the model is to decide. */
export const budgetOf = ({ budget, effort }: Reasoning): number | undefined =>
  budget ?? (effort === undefined ? undefined : budgets[effort])

/** @returns undefined where the model is to decide. */
export function effortOf({ budget, effort }: Reasoning): Effort | undefined {
  if (effort !== undefined || budget === undefined) return effort
  if (budget <= 0) return 'none'
  if (budget <= budgets.low) return 'low'
  return budget <= budgets.medium ? 'medium' : 'high'
}

/** Whether the model is asked not to think. */
export const isOff = (reasoning: Reasoning): boolean => budgetOf(reasoning) === 0

/** The nearest of the words that a model knows. */
export function nearest(effort: Effort, known: readonly Effort[]): Effort {
  const wanted = efforts.indexOf(effort)
  const distance = (word: Effort) => Math.abs(efforts.indexOf(word) - wanted)
  return known.reduce((best, word) => (distance(word) < distance(best) ? word : best))
}

const named = /^((?:o\d|gpt-5).*)-(high|medium|low|minimal|none|xhigh)$/

/** The names of OpenAI's models may end in how hard they are to think. */
export function effortIn(model: string): { model: string; effort: string | undefined } {
  const [, base = model, effort] = named.exec(model) ?? []
  return { model: base, effort }
}
