/**
 * Registers the table of API routes. Any origin may call; API keys authenticate and cookies are ignored, except where a
 * session is the credential.
 */
import { Elysia } from 'elysia'
import { Refusal } from '../contracts/refusal.ts'
import { isSetUp, notSetUp } from '../domain/setup/index.ts'
import { env } from '../env.ts'
import { isOverloaded } from '../process/load-shedding.ts'
import { mark } from '../process/marks.ts'
import { isStopping } from '../process/shutdown.ts'
import { ended } from '../web/chunked-body.ts'
import { refuse } from '../web/envelope.ts'
import { invalidHost, namesHost } from '../web/known-host.ts'
import { idOf } from '../web/request.ts'
import type { ApiRoute, RelayContext, RelayServer } from './endpoint.ts'
import { apiPrefixes, apiRoutes } from './endpoints/table.ts'
import { errorsAt, notAvailable, wrongMethodOrPath } from './endpoints/unmatched.ts'
import { type ErrorFormatFor, openAiErrors } from './errors/error-format.ts'
import { errorResponse } from './errors/explain.ts'
import { notFound } from './errors/not-found.ts'
import { apiLanguage, isOfThisSite, languageAt } from './request/api-language.ts'
import { takeCallbackAt } from './tasks/callback.ts'
import './inflight.ts'
import { passOn } from './shadow/pass-on.ts'
import { reportRefused } from './watching/report-call.ts'
import { beginTrace } from './watching/traces.ts'

/** Runs a handler and turns what it throws into an error response. */
async function respond(
  request: Request,
  errors: ErrorFormatFor,
  handle: () => Promise<unknown>,
  languageOf = apiLanguage,
  refused?: (error: unknown, status: number) => void,
): Promise<unknown> {
  mark('receive')
  try {
    if (!namesHost(request)) throw invalidHost()
    if (isStopping()) throw new Refusal('relay.stopping', {}, 503)
    if (isOverloaded()) throw new Refusal('relay.overloaded', {}, 503)
    const isReady = isSetUp()
    if (isReady !== true && !(await isReady)) throw notSetUp()
    const response = await handle()
    // A call reads its body to the end.
    return request.method === 'POST' || !response ? response : ended(request, response as Response)
  } catch (error) {
    const context = { request_id: idOf(request), language: languageOf(request) }
    const response = errorResponse(error, errors(request), context)
    refused?.(error, response.status)
    return ended(request, response)
  }
}

const serve = (context: RelayContext) => {
  const { request, route } = context
  const trace = beginTrace(context)
  if (trace) context.trace = trace
  const handle = () => handlerOf(route)(context)
  const response = respond(request, route.errors, handle, languageAt(route), (error, status) =>
    reportRefused(context, error, status),
  )
  // A connection that became a WebSocket has no response.
  if (trace) response.then(response => trace.responded((response as Response | undefined)?.status ?? 101))
  return isOfThisSite(route) ? response.then(forThisSite) : response
}

/** The playground belongs to the console, and all else to the API. */
const isServed = (route: ApiRoute) => env.ROLE === 'all' || isOfThisSite(route) === (env.ROLE === 'console')

function handlerOf(route: ApiRoute) {
  if (!isServed(route)) return elsewhere
  return isShadow && !isOfThisSite(route) ? passOn : (route.handle ?? notAvailable)
}

/** All that API keys may call passes to the old gateway. */
const isShadow = env.SHADOW_OF !== undefined

/** The old gateway may know it. */
const unmatched = (context: Pick<RelayContext, 'request' | 'server'>, refuse = notFound): Promise<Response> =>
  isShadow && env.ROLE !== 'console' ? passOn({ ...context, params: {} }) : refuse(context.request)

/** A balancer has sent here what nodes of another role serve. @throws Refusal 404 */
async function elsewhere(): Promise<never> {
  throw new Refusal('error.other_role', { role: env.ROLE }, 404)
}

/** Pages of other sites may not read it. */
function forThisSite(response: unknown): unknown {
  if (response instanceof Response) {
    response.headers.delete('access-control-allow-origin')
    response.headers.delete('access-control-expose-headers')
  }
  return response
}

const preflightHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
  'access-control-allow-headers': '*, authorization',
  'access-control-max-age': '86400',
}

const preflight = (request: Request) =>
  namesHost(request) ? new Response(null, { status: 204, headers: preflightHeaders }) : refuse(invalidHost(), request)

/** Elysia gives null for what is no UTF-8: it names nothing. */
const readable = (params: object | undefined): Record<string, string> =>
  params ? Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value ?? ''])) : {}

/** The relay reads bodies itself. */
const unparsed = { parse: 'none' } as const

const app = new Elysia({ name: 'relay' })

// Handlers destructure the context: otherwise Elysia parses cookies on every call.
function register(path: string, route: ApiRoute) {
  app.route(
    route.method,
    path,
    ({ request, server, params }) => serve({ request, server: server as RelayServer, params: readable(params), route }),
    unparsed,
  )
}

/** Elysia has no wildcard with a suffix: one route for all verbs after a model name. */
function registerVerbs(path: string, routes: readonly ApiRoute[]) {
  const byVerb = new Map(routes.map(route => [route.path.split(':')[1], route]))
  app.post(
    path,
    ({ request, server, params }) => {
      const name = readable(params)['*']!
      const colon = name.lastIndexOf(':')
      const route = colon > 0 ? byVerb.get(name.slice(colon + 1)) : undefined
      if (!route) return respond(request, errorsAt, () => unmatched({ request, server: server as RelayServer }))
      return serve({ request, server: server as RelayServer, params: { '*': name }, route })
    },
    unparsed,
  )
}

/**
 * Paths under /v1 are served under /hf as well, since some clients put that before every path; those of Midjourney under
 * its modes.
 */
function placesOf(path: string): string[] {
  if (/^\/mj(\/|$)/.test(path)) return [path, `/:mode${path}`]
  return /^\/v1(\/|$)/.test(path) ? [path, `/hf${path}`] : [path]
}

const withVerb = Map.groupBy(
  apiRoutes.filter(({ path }) => path.includes('*:')),
  ({ path }) => path.slice(0, path.indexOf('*') + 1),
)
for (const [path, routes] of withVerb) for (const at of placesOf(path)) registerVerbs(at, routes)
for (const route of apiRoutes) {
  if (!route.path.includes('*:')) for (const at of placesOf(route.path)) register(at, route)
}

const wildcards = apiPrefixes.map(({ path }) => `${path}/*`)
const ofThisSite = new Set<string>(apiRoutes.filter(isOfThisSite).map(({ path }) => path))
const others = apiRoutes.map(({ path }) => path).filter(path => !/^\/v1(beta)?\//.test(path))
for (const path of new Set([...wildcards, ...others].flatMap(placesOf))) {
  if (!ofThisSite.has(path)) app.options(path, ({ request }) => ended(request, preflight(request)), unparsed)
  app.all(
    path,
    ({ request, server }) =>
      respond(request, errorsAt, () => unmatched({ request, server: server as RelayServer }, wrongMethodOrPath)),
    unparsed,
  )
}

// No key authenticates a callback, but its address.
app.post(
  '/callback/:platform/:secret/:task',
  ({ request, params }) => respond(request, openAiErrors, () => takeCallbackAt({ request, params: readable(params) })),
  unparsed,
)

export const relayRoutes = app
