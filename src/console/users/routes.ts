import { Elysia } from 'elysia'
import { Id } from '../../kit/paging.ts'
import { envelope, ok } from '../../kit/reply.ts'
import { guard } from '../account/guard.ts'
import { viewFor } from './service.ts'

export const userRoutes = new Elysia()
  .use(envelope)
  .use(guard)
  .get('/api/user/:id', async ({ params, caller }) => ok(await viewFor(caller, params.id)), {
    admin: true,
    params: Id,
  })
