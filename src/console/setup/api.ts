/** JSON API of the setup of a new installation. */
import { Elysia } from 'elysia'
import { checkNoImport } from '../../domain/moving-in/index.ts'
import { isSetUp, notSetUp, setUp, setupStatus } from '../../domain/setup/index.ts'
import { envelope, ok, refuse } from '../../web/envelope.ts'
import { criticalLimit } from '../../web/ip-rate-limit.ts'
import { checkOrigin } from '../../web/origin.ts'

/** What a site answers before its set-up, beside the health checks, which are outside of the API. */
const open = /^\/api\/(setup|status)\/?$/
const ofApi = /^\/(api\/|openapi\.json)/

/** Before the set-up, the API refuses everything else; pages lead to the set-up by themselves. */
export const setupGate = new Elysia({ name: 'setup-gate' }).onRequest(async ({ request }) => {
  const { pathname } = new URL(request.url)
  if (ofApi.test(pathname) && !open.test(pathname) && !(await isSetUp())) return refuse(notSetUp(), request)
})

export const setupApi = new Elysia()
  .use(envelope)
  .use(criticalLimit)
  .get('/api/setup', async () => ok(await setupStatus()))
  .post(
    '/api/setup',
    async ({ request, body }) => {
      checkOrigin(request)
      checkNoImport()
      await setUp(body)
      return ok(null)
    },
    { critical: 'setup' },
  )
