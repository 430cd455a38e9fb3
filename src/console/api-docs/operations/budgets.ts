/** Operations of budgets. */
import { z } from 'zod'
import { Budget, BudgetEdit, NewBudget } from '../../../contracts/budget.ts'
import type { OperationGroup } from './notes.ts'

const edit = {
  description: 'Absent fields stay unchanged. The owner, the unit and the window are those of another budget.',
  body: BudgetEdit,
  example: { amount: 10_000_000 },
  data: Budget,
}
const monthly = { name: 'Monthly', unit: 'quota', amount: 5_000_000, window: 'month', zone: 'Europe/Berlin' }
const create = {
  description:
    '`window` is `rolling` (opens with the first call after the last one), `fixed` (each `seconds` from `anchor`), ' +
    '`day`, `week` or `month` in `zone`, or `all`. With `refuses` false there are notices alone.',
  body: NewBudget,
  data: Budget,
}

export const budgets: OperationGroup = {
  noun: 'budgets',
  title: 'Budgets',
  operations: {
    'GET /api/budget/': {
      summary: 'operation.budgets',
      description: '`owner` is `user`, `token` or `channel`; without `owner_id` your own user.',
      data: z.array(Budget),
    },
    'POST /api/budget/': {
      summary: 'operation.budget_create',
      ...create,
      example: { owner: 'user', owner_id: 2, ...monthly },
    },
    'PUT /api/budget/:id': { summary: 'operation.budget_edit', ...edit },
    'DELETE /api/budget/:id': { summary: 'operation.budget_delete', data: z.null() },
    'GET /api/budget/self': {
      summary: 'operation.own_budgets',
      description: '`owner_id` is the id of the key; without it the budgets that operators have set for your user.',
      data: z.array(Budget),
    },
    'POST /api/budget/self': {
      summary: 'operation.own_budget_create',
      ...create,
      example: { owner: 'token', owner_id: 1, ...monthly },
    },
    'PUT /api/budget/self/:id': { summary: 'operation.own_budget_edit', ...edit },
    'DELETE /api/budget/self/:id': { summary: 'operation.own_budget_delete', data: z.null() },
  },
}
