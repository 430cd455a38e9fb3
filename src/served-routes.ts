/** The routes that the API document describes, as console and relay have registered them. */
import type { z } from 'zod'
import type { ApiAccess, ServedRoute } from './contracts/api-docs.ts'
import { apiRoutes } from './relay/endpoints/table.ts'

interface ConsoleRoute {
  method: string
  path: string
  hooks: { query?: unknown; params?: unknown; detail?: Record<string, unknown> }
}

export const servedRoutes = (routes: readonly ConsoleRoute[]): ServedRoute[] => [...relayRoutes, ...ofConsole(routes)]

const relayRoutes = apiRoutes.map(
  ({ method, path, by_session, by_visitor, key_in_query, handle }): ServedRoute => ({
    method,
    path,
    access: by_visitor ? 'anyone' : by_session ? 'signedIn' : 'key',
    confirmed: false,
    of_relay: true,
    is_available: handle !== undefined,
    key_in_query: key_in_query ?? false,
  }),
)

const ofConsole = (routes: readonly ConsoleRoute[]) =>
  routes.filter(({ path }) => path.startsWith('/api/')).map(consoleRoute)

/** The guard's macros leave the rights in `detail`. */
function consoleRoute({ method, path, hooks: { query, params, detail = {} } }: ConsoleRoute): ServedRoute {
  return {
    method,
    path,
    access: (detail['x-access'] as ApiAccess | undefined) ?? 'anyone',
    confirmed: detail['x-confirmed'] === true,
    of_relay: false,
    is_available: true,
    key_in_query: false,
    query: query as z.ZodType | undefined,
    params: params as z.ZodType | undefined,
  }
}
