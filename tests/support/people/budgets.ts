/** Budgets of tests, made by root over the API. */
import type { Budget, BudgetOwner, NewBudget } from '../../../src/contracts/budget.ts'
import { channelTo } from '../upstream/served-channel.ts'
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
const ownerOf = async (owner: 'user' | 'channel') =>
  owner === 'user' ? (await visitor()).id : (await channelTo('http://127.0.0.1:9')).id
const newBudget = async (owner: 'user' | 'channel' = 'user') => (await makeBudget(owner, await ownerOf(owner), body)).id

const form = { name: 'audited', amount: '5', unit: 'calls', window: 'all', refuses: 'true' }

/** By the forms of a page. */
const formWrites = (path: string, owner: 'user' | 'channel'): Record<string, (person: Person) => Promise<unknown>> => ({
  [`POST ${path}/:id/budgets`]: async person => person.form(`${path}/${await ownerOf(owner)}/budgets`, form),
  [`POST ${path}/budgets/:id`]: async person =>
    person.form(`${path}/budgets/${await newBudget(owner)}`, { ...form, amount: '7' }),
  [`POST ${path}/budgets/:id/delete`]: async person => person.form(`${path}/budgets/${await newBudget(owner)}/delete`),
})

/** Each administrative write of budgets, for the audit log. */
export const budgetWrites: Record<string, (person: Person) => Promise<unknown>> = {
  'POST /api/budget/': async person =>
    person.post('/api/budget/', { owner: 'user', owner_id: (await visitor()).id, ...body }),
  'PUT /api/budget/:id': async person => person.put(`/api/budget/${await newBudget()}`, { amount: 7 }),
  'DELETE /api/budget/:id': async person => person.delete(`/api/budget/${await newBudget()}`),
  ...formWrites('/admin/users', 'user'),
  ...formWrites('/admin/channels', 'channel'),
}
