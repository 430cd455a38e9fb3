/** JSON API of users, for administrators. */
import { Elysia } from 'elysia'
import type { z } from 'zod'
import type { SessionUser } from '../../contracts/account.ts'
import { Id, pageOf } from '../../contracts/paging.ts'
import { parse } from '../../contracts/parse.ts'
import { AdminTopUp } from '../../contracts/top-up.ts'
import { UserCreation, UserEdit, UserManagement, UserQuery } from '../../contracts/user.ts'
import { createUser, editUser, manageUser, topUp } from '../../domain/account/index.ts'
import { listUsers, viewFor } from '../../domain/users/index.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { idempotencyKeyOf } from '../../web/idempotency-key.ts'
import { guard } from '../guard.ts'

/** Balances that administrators change. */
export const topUpApi = new Elysia()
  .use(envelope)
  .use(guard)
  .post(
    '/api/topup',
    async ({ actor, body, request }) => ok(await topUp(actor, parse(AdminTopUp, body), idempotencyKeyOf(request))),
    { admin: true },
  )

interface ListRequest {
  caller: SessionUser
  query: z.output<typeof UserQuery>
}

const list = async ({ caller, query }: ListRequest) => ok(await listUsers(caller, query, pageOf(query, 1)))

export const userApi = new Elysia({ prefix: '/api/user' })
  .use(envelope)
  .use(guard)
  .get('/', list, { admin: true, query: UserQuery })
  .get('/search', list, { admin: true, query: UserQuery })
  .get('/:id', async ({ caller, params }) => ok(await viewFor(caller, params.id)), { admin: true, params: Id })
  .post('/', async ({ actor, body }) => ok(await createUser(actor, parse(UserCreation, body))), { admin: true })
  .put('/', async ({ actor, body }) => ok(await editUser(actor, parse(UserEdit, body))), { admin: true })
  .post(
    '/manage',
    async ({ actor, body }) => {
      const { id, action } = parse(UserManagement, body)
      const { status, role } = await manageUser(actor, id, action)
      return ok({ status, role })
    },
    { admin: true },
  )
  .delete(
    '/:id',
    async ({ actor, params }) => {
      await manageUser(actor, params.id, 'delete')
      return ok(null)
    },
    { admin: true, params: Id },
  )
