/** Budgets of the demo: of its customer, of a key of theirs and of a channel. Those that are used up notify alone. */
import { SYSTEM } from '../../contracts/actor.ts'
import { type BudgetOwner, NewBudget } from '../../contracts/budget.ts'
import { createBudget } from '../../domain/account/index.ts'
import { now } from '../../process/clock.ts'

const USD = 500_000
const HOUR_SECONDS = 3600
const DAY_SECONDS = 86_400
const WEEK_SECONDS = 604_800

const UTC = { zone: 'UTC' }

/** The name is that of the field of a limit. */
const month = { name: 'Limit per month', unit: 'quota', window: 'month', ...UTC }

const listed = (): Record<BudgetOwner, object[]> => ({
  user: [{ ...month, amount: 1500 * USD }],
  token: [
    { ...month, amount: 600 * USD },
    {
      ...{ name: 'Coding plan', unit: 'tokens', amount: 600_000, window: 'rolling', seconds: 5 * HOUR_SECONDS },
      refuses: false,
    },
    {
      ...{ name: 'Large models', models: ['claude-opus-4-8', 'claude-sonnet-4-6'], unit: 'calls', amount: 40 },
      ...{ window: 'day', ...UTC, refuses: false },
    },
  ],
  channel: [
    { name: 'Contract', unit: 'quota', window: 'month', ...UTC, amount: 2500 * USD },
    {
      ...{ name: 'Reserved capacity', unit: 'calls', amount: 6000, window: 'fixed', seconds: WEEK_SECONDS },
      ...{ anchor: now() - (now() % DAY_SECONDS), refuses: false },
    },
  ],
})

/** The customer sets those of the key. */
export async function addBudgets(owners: Record<BudgetOwner, number>) {
  for (const [owner, list] of Object.entries(listed()) as [BudgetOwner, object[]][])
    for (const budget of list)
      await createBudget(
        owner === 'token' ? { user_id: owners.user } : { actor: SYSTEM },
        NewBudget.parse({ owner, owner_id: owners[owner], ...budget }),
      )
}
