/**
 * All routes of the server, as its role has them. The console and the pages of errors are loaded when first needed: a
 * gateway that only relays has none.
 */
import { type AnyElysia, Elysia } from 'elysia'
import { Refusal } from './contracts/refusal.ts'
import { loadOptions } from './domain/options/index.ts'
import { keepPriceVersion } from './domain/pricing/index.ts'
import { foldUsernames } from './domain/users/index.ts'
import { env } from './env.ts'
import { relayRoutes } from './relay/routes.ts'
import { CONNECTION_TIMEOUT_SECONDS } from './stream/client-connection.ts'
import { ended } from './web/chunked-body.ts'
import { refuse } from './web/envelope.ts'
import { healthRoutes } from './web/health.ts'
import { hasMetrics, metricsResponse } from './web/metrics.ts'

/** A client that does not read its events is disconnected: the audio of a minute may wait for it. */
const websocket = {
  backpressureLimit: 4 * 1_048_576,
  closeOnBackpressureLimit: true,
}

export async function buildApp(): Promise<AnyElysia> {
  await foldUsernames()
  await loadOptions()
  await keepPriceVersion()
  const hasConsole = env.ROLE === 'all' || env.ROLE === 'console'
  const app = new Elysia({ websocket })
    .onError(({ error, request, server }) =>
      hasConsole ? errorPage(error, request, server) : ended(request, refuse(error, request)),
    )
    .use(healthRoutes)
  if (env.ROLE !== 'jobs') app.use(relayRoutes)
  const rest = hasConsole ? toConsole : elsewhere
  return (
    app
      .get('/metrics', async ({ request, server }) =>
        hasMetrics() ? ended(request, await metricsResponse(request, server)) : rest(request, server),
      )
      // `/api/mj` is no mode of Midjourney, whose preflights have a route of their own.
      .options('/api/*', ({ request, server }) => rest(request, server), unparsed)
      .all('/api/*', ({ request, server }) => rest(request, server), unparsed)
      .all('/*', ({ request, server }) => rest(request, server), unparsed)
  )
}

const unparsed = { parse: 'none' } as const

type Server = AnyElysia['server']

/** The console reads the body itself, within its limits, and needs the server for the client's address. */
async function toConsole(request: Request, server: Server): Promise<Response> {
  const { consoleApp } = await import('./console-app.ts')
  consoleApp.server = server
  const response = await consoleApp.handle(request)
  // Ends the wait that `guard` began: from here on the client's reading counts.
  server?.timeout(request, CONNECTION_TIMEOUT_SECONDS)
  return ended(request, response)
}

async function errorPage(error: unknown, request: Request, server: Server): Promise<Response> {
  const { errorResponse } = await import('./error-handler.ts')
  return errorResponse(error, { request, server, body: undefined })
}

/** A balancer has sent here what nodes of another role serve. */
const elsewhere = async (request: Request): Promise<Response> =>
  ended(request, refuse(new Refusal('error.other_role', { role: env.ROLE }, 404), request))
