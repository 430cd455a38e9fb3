/** What a key may use now: its own budgets and those of its user, in the windows of now. */
import type { Budget } from '../../contracts/budget.ts'
import { budgetsShown } from '../../domain/budgets/index.ts'
import { rfc3339 } from '../../pure/time.ts'
import type { ApiCaller } from '../caller.ts'

export async function budgetUsage({ token, user }: ApiCaller) {
  const budgets = [...(await budgetsShown('token', token.id)), ...(await budgetsShown('user', user.id))]
  return { object: 'list', data: budgets.map(entryOf) }
}

const entryOf = ({ name, owner, models, unit, amount, used, reserved, window, refuses, ...at }: Budget) => ({
  object: 'budget',
  ...{ name, owner: owner === 'token' ? 'key' : owner, models, unit, limit: amount, used, reserved },
  remaining: Math.max(0, amount - used - reserved),
  ...{ window, window_seconds: at.seconds || null, refuses },
  starts_at: at.starts_at === null ? null : rfc3339(at.starts_at),
  resets_at: at.ends_at === null ? null : rfc3339(at.ends_at),
})
