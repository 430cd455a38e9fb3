import { Elysia } from 'elysia'
import { checkOrigin } from '../../kit/origin.ts'
import { envelope, ok } from '../../kit/reply.ts'
import { setUp, setupStatus } from './service.ts'

export const setupRoutes = new Elysia()
  .use(envelope)
  .get('/api/setup', async () => ok(await setupStatus()))
  .post('/api/setup', async ({ request, body }) => {
    checkOrigin(request)
    await setUp(body)
    return ok(null)
  })
