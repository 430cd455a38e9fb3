/** Budgets of tests, made by root over the API. */
import type { Budget, BudgetOwner, NewBudget } from '../../../src/contracts/budget.ts'
import type { Client } from './client.ts'
import { type Person, setUp, visitor } from './person.ts'

export const MONTH = { window: 'month', zone: 'UTC' } as const

/** @throws what the API refuses */
export async function makeBudget(owner: BudgetOwner, owner_id: number, fields: Partial<NewBudget>): Promise<Budget> {
  const root = await setUp()
  const body = { owner, owner_id, name: `limit of ${owner}`, unit: 'calls', amount: 7, window: 'all', ...fields }
  const answer = await root.post('/api/budget/', body)
  if (!answer.success) throw new Error(answer.message)
  return answer.data
}

export async function budgetsOf(owner: BudgetOwner, owner_id: number): Promise<Budget[]> {
  const root = await setUp()
  return (await root.get(`/api/budget/?owner=${owner}&owner_id=${owner_id}`)).data
}

/** The id of the only key of a client. */
export const keyOf = async ({ person }: Client): Promise<number> => (await person.get('/api/token/')).data[0].id

const body = { name: 'audited', unit: 'calls', amount: 5, window: 'all' } as const
const newBudget = async () => (await makeBudget('user', (await visitor()).id, body)).id

/** Each administrative write of budgets, for the audit log. */
export const budgetWrites: Record<string, (person: Person) => Promise<unknown>> = {
  'POST /api/budget/': async person =>
    person.post('/api/budget/', { owner: 'user', owner_id: (await visitor()).id, ...body }),
  'PUT /api/budget/:id': async person => person.put(`/api/budget/${await newBudget()}`, { amount: 7 }),
  'DELETE /api/budget/:id': async person => person.delete(`/api/budget/${await newBudget()}`),
}
