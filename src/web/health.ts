/** Health checks for supervisors (`/healthz`) and load balancers (`/readyz`). */
import { sql } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { atomic, rawQuery, run } from '../db/atomic.ts'
import { isStopping } from '../process/shutdown.ts'

const DATABASE_TIMEOUT_MS = 2000

/** Whether the database answers within 2 seconds. */
export const databaseAnswers = () =>
  Promise.race([
    atomic(function* (tx) {
      yield* run(rawQuery(tx, sql`select 1`))
      return true
    }).catch(() => false),
    Bun.sleep(DATABASE_TIMEOUT_MS).then(() => false),
  ])

export const healthRoutes = new Elysia()
  .get('/healthz', () => ({ status: 'ok' }))
  .get('/readyz', async ({ status }) => {
    if (isStopping()) return status(503, { status: 'stopping' })
    return (await databaseAnswers()) ? { status: 'ready' } : status(503, { status: 'the database does not answer' })
  })
