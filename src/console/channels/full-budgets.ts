/** Channels of a route preview whose budgets have nothing left: calls pass over them. */
import { type Budget, isUsedUp } from '../../contracts/budget.ts'
import { type Obstacle, OTHERS_MAX, type PassedOver, type RoutePreview } from '../../contracts/route-preview.ts'
import { budgetsShown, mayHaveBudgets } from '../../domain/budgets/index.ts'
import { now } from '../../process/clock.ts'

export async function withFullBudgets(preview: RoutePreview): Promise<RoutePreview> {
  const full: PassedOver[] = []
  for (const { id, name, label, priority, weight } of preview.tiers.flatMap(({ steps }) => steps)) {
    const budget = await fullBudgetOf(id, preview.model)
    if (budget) full.push({ id, name, label, priority, weight, obstacles: [obstacleOf(budget)] })
  }
  if (!full.length) return preview
  const isFull = new Set(full.map(({ id }) => id))
  const tiers = preview.tiers.map(tier => ({ ...tier, steps: tier.steps.filter(({ id }) => !isFull.has(id)) }))
  return {
    ...preview,
    tiers: tiers.filter(({ steps }) => steps.length),
    others: [...full, ...preview.others].slice(0, OTHERS_MAX),
    others_total: preview.others_total + full.length,
  }
}

/** The one that has nothing left for the longest time. */
async function fullBudgetOf(channel_id: number, model: string): Promise<Budget | undefined> {
  if (!(await mayHaveBudgets('channel', channel_id))) return undefined
  const counts = ({ models }: Budget) => !models.length || models.includes(model)
  const full = (await budgetsShown('channel', channel_id)).filter(budget => counts(budget) && isUsedUp(budget))
  return full.sort((one, other) => endOf(other) - endOf(one))[0]
}

const endOf = ({ ends_at }: Budget) => ends_at ?? Number.POSITIVE_INFINITY

const obstacleOf = ({ name, ends_at }: Budget): Obstacle =>
  ends_at === null
    ? { code: 'budget_spent', reason: name }
    : { code: 'budget', reason: name, seconds: Math.max(1, ends_at - now()) }
