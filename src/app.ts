/** All routes of the server. The console and the pages of errors are loaded when first needed: a gateway that only relays has none. */
import { type AnyElysia, Elysia } from 'elysia'
import { loadOptions } from './domain/options/index.ts'
import { keepPriceVersion } from './domain/pricing/index.ts'
import { foldUsernames } from './domain/users/index.ts'
import { relayRoutes } from './relay/routes.ts'
import { CONNECTION_TIMEOUT_SECONDS } from './stream/client-connection.ts'
import { endUnread } from './web/chunked-body.ts'

/** A client that does not read its events is disconnected: the audio of a minute may wait for it. */
const websocket = {
  backpressureLimit: 4 * 1_048_576,
  closeOnBackpressureLimit: true,
}

export async function buildApp(): Promise<AnyElysia> {
  await foldUsernames()
  await loadOptions()
  await keepPriceVersion()
  return (
    new Elysia({ websocket })
      .onError(async ({ error, request, server }) => {
        const { errorResponse } = await import('./error-handler.ts')
        return errorResponse(error, { request, server, body: undefined })
      })
      .use(relayRoutes)
      // `/api/mj` is no mode of Midjourney, whose preflights have a route of their own.
      .options('/api/*', ({ request, server }) => toConsole(request, server), unparsed)
      .all('/api/*', ({ request, server }) => toConsole(request, server), unparsed)
      .all('/*', ({ request, server }) => toConsole(request, server), unparsed)
  )
}

const unparsed = { parse: 'none' } as const

/** The console reads the body itself, within its limits, and needs the server for the client's address. */
async function toConsole(request: Request, server: AnyElysia['server']): Promise<Response> {
  const { consoleApp } = await import('./console-app.ts')
  consoleApp.server = server
  const response = await consoleApp.handle(request)
  // Ends the wait that `guard` began: from here on the client's reading counts.
  server?.timeout(request, CONNECTION_TIMEOUT_SECONDS)
  return request.headers.has('transfer-encoding') ? endUnread(request, response) : response
}
