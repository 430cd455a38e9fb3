/**
 * Health checks for supervisors (`/healthz`, which never asks the database) and load balancers (`/readyz`). They stand
 * beside relay and console, so that a check loads neither.
 */
import { Elysia } from 'elysia'
import { databaseAnswers } from '../db/database-server.ts'
import { isDraining } from '../process/shutdown.ts'
import { ended } from './chunked-body.ts'
import { refuse } from './envelope.ts'
import { invalidHost, namesHost } from './known-host.ts'

export const healthRoutes = new Elysia({ name: 'health' })
  .get('/healthz', ({ request }) => answered(request, 'ok'))
  .get('/readyz', async ({ request }) => {
    if (isDraining()) return answered(request, 'stopping', 503)
    return (await databaseAnswers())
      ? answered(request, 'ready')
      : answered(request, 'the database does not answer', 503)
  })

function answered(request: Request, status: string, code = 200) {
  return ended(
    request,
    namesHost(request) ? Response.json({ status }, { status: code }) : refuse(invalidHost(), request),
  )
}
