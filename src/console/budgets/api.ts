/** JSON API of budgets: operators manage all, users those of their own keys. */
import { Elysia } from 'elysia'
import { z } from 'zod'
import { BUDGET_OWNERS, BudgetEdit, NewBudget } from '../../contracts/budget.ts'
import { Id } from '../../contracts/paging.ts'
import { parse } from '../../contracts/parse.ts'
import { createBudget, deleteBudget, editBudget, listBudgetsFor } from '../../domain/account/index.ts'
import { budgetsShown } from '../../domain/budgets/index.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { guard } from '../guard.ts'

const ListQuery = z.object({
  owner: z.enum(BUDGET_OWNERS).default('user'),
  owner_id: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
})
const KeyQuery = z.object({ owner_id: ListQuery.shape.owner_id })

export const budgetApi = new Elysia()
  .use(envelope)
  .use(guard)
  .get(
    '/api/budget/',
    async ({ actor, query: { owner, owner_id = actor.id } }) => ok(await listBudgetsFor({ actor }, owner, owner_id)),
    { admin: true, query: ListQuery },
  )
  .post('/api/budget/', async ({ actor, body }) => ok(await createBudget({ actor }, parse(NewBudget, body))), {
    admin: true,
  })
  .put(
    '/api/budget/:id',
    async ({ actor, params, body }) => ok(await editBudget({ actor }, params.id, parse(BudgetEdit, body))),
    { admin: true, params: Id },
  )
  .delete(
    '/api/budget/:id',
    async ({ actor, params }) => {
      await deleteBudget({ actor }, params.id)
      return ok(null)
    },
    { admin: true, params: Id },
  )
  .get(
    '/api/budget/self',
    async ({ caller, query: { owner_id } }) =>
      ok(
        owner_id === undefined
          ? await budgetsShown('user', caller.id)
          : await listBudgetsFor({ user_id: caller.id }, 'token', owner_id),
      ),
    { signedIn: true, query: KeyQuery },
  )
  .post(
    '/api/budget/self',
    async ({ caller, body }) => ok(await createBudget({ user_id: caller.id }, parse(NewBudget, body))),
    { signedIn: true },
  )
  .put(
    '/api/budget/self/:id',
    async ({ caller, params, body }) =>
      ok(await editBudget({ user_id: caller.id }, params.id, parse(BudgetEdit, body))),
    { signedIn: true, params: Id },
  )
  .delete(
    '/api/budget/self/:id',
    async ({ caller, params }) => {
      await deleteBudget({ user_id: caller.id }, params.id)
      return ok(null)
    },
    { signedIn: true, params: Id },
  )
