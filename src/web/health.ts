/**
 * Health checks for supervisors (`/healthz`, which never asks the database) and load balancers (`/readyz`). They stand
 * beside relay and console, so that a check loads neither.
 */
import { Elysia } from 'elysia'
import { databaseAnswers } from '../db/database-server.ts'
import { isDraining } from '../process/shutdown.ts'
import { refuse } from './envelope.ts'
import { invalidHost, namesHost } from './known-host.ts'

export const healthRoutes = new Elysia({ name: 'health' })
  .get('/healthz', ({ request }) => (namesHost(request) ? { status: 'ok' } : refuse(invalidHost(), request)))
  .get('/readyz', async ({ request, status }) => {
    if (!namesHost(request)) return refuse(invalidHost(), request)
    if (isDraining()) return status(503, { status: 'stopping' })
    return (await databaseAnswers()) ? { status: 'ready' } : status(503, { status: 'the database does not answer' })
  })
