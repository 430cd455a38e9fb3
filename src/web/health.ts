/** Health checks for supervisors (`/healthz`) and load balancers (`/readyz`). */
import { Elysia } from 'elysia'
import { databaseAnswers } from '../db/database-server.ts'
import { isStopping } from '../process/shutdown.ts'

export const healthRoutes = new Elysia()
  .get('/healthz', () => ({ status: 'ok' }))
  .get('/readyz', async ({ status }) => {
    if (isStopping()) return status(503, { status: 'stopping' })
    return (await databaseAnswers()) ? { status: 'ready' } : status(503, { status: 'the database does not answer' })
  })
