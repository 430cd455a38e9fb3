/** How much a model thinks: some formats name an effort, others a number of tokens; one table joins the two. */

export const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type Effort = (typeof efforts)[number]

export interface Reasoning {
  effort?: Effort
  /** The most tokens to think with; 0 turns thinking off. */
  budget?: number
  /** The model decides for itself how much. */
  adaptive?: true
  /** Whether the response contains the thoughts. */
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

/** @returns undefined when the model decides */
export const budgetOf = ({ budget, effort }: Reasoning): number | undefined =>
  budget ?? (effort === undefined ? undefined : budgets[effort])

/** @returns undefined when the model decides */
export function effortOf({ budget, effort }: Reasoning): Effort | undefined {
  if (effort !== undefined || budget === undefined) return effort
  if (budget <= 0) return 'none'
  if (budget <= budgets.low) return 'low'
  return budget <= budgets.medium ? 'medium' : 'high'
}

/** Whether thinking is turned off. */
export const isOff = (reasoning: Reasoning): boolean => budgetOf(reasoning) === 0

export function nearest(effort: Effort, accepted: readonly Effort[]): Effort {
  const rank = efforts.indexOf(effort)
  const distance = (other: Effort) => Math.abs(efforts.indexOf(other) - rank)
  return accepted.reduce((best, other) => (distance(other) < distance(best) ? other : best))
}

const withEffort = /^((?:o\d|gpt-(?:[5-9]|\d\d)).*)-(high|medium|low|minimal|none|xhigh|(?<!-codex-)max)$/

/** Splits an effort from the end of an OpenAI model's name: `gpt-5-high` is `gpt-5` with effort `high`. */
export function effortIn(model: string): { model: string; effort: string | undefined } {
  const [, base = model, effort] = withEffort.exec(model) ?? []
  return { model: base, effort }
}

/** Largest part of the allowed output that a thinking budget takes, so that room for text is left. */
export const BUDGET_SHARE_MAX = 0.8

/** @returns the budget lowered into a limit of output tokens; undefined when even `min` leaves no room for text */
export function budgetWithin(budget: number, limit: number, min: number): number | undefined {
  const most = Math.floor(limit * BUDGET_SHARE_MAX)
  return most < min ? undefined : Math.max(min, Math.min(budget, most))
}
