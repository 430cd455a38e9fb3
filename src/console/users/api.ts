/** Users, for administrators. */
import { Elysia } from 'elysia'
import { Id } from '../../contracts/paging.ts'
import { viewFor } from '../../domain/users/index.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { guard } from '../guard.ts'

export const userApi = new Elysia()
  .use(envelope)
  .use(guard)
  .get('/api/user/:id', async ({ params, caller }) => ok(await viewFor(caller, params.id)), {
    admin: true,
    params: Id,
  })
