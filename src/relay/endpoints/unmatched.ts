/** What the table of API routes says about a path or method without a handler. */

import { Refusal } from '../../contracts/refusal.ts'
import { pathOf } from '../../web/request.ts'
import type { ApiRoute, RelayContext } from '../endpoint.ts'
import type { ErrorFormatFor } from '../errors/error-format.ts'
import { notFound } from '../errors/not-found.ts'
import { apiPrefixes, apiRoutes } from './table.ts'

/** @throws Refusal 501 */
export async function notAvailable({ request }: Pick<RelayContext, 'request'>): Promise<never> {
  throw new Refusal('relay.api_not_implemented', { path: pathOf(request.url) }, 501)
}

/** @throws Refusal 405 where another method has a route, else 404 */
export async function wrongMethodOrPath(request: Request): Promise<never> {
  const { method } = request
  const methods = [...new Set(routesAt(request.url).map(route => route.method))].join(', ')
  if (methods) throw new Refusal('relay.method_not_allowed', { method, methods }, 405)
  return notFound(request)
}

/** The error format of a path without a route: by a route of another method, else by its prefix. */
export const errorsAt: ErrorFormatFor = request => {
  const path = tablePath(request.url)
  const [route] = routesAt(request.url)
  const prefix = apiPrefixes.find(prefix => path === prefix.path || path.startsWith(`${prefix.path}/`))
  return (route ?? prefix ?? apiPrefixes.at(-1)!).errors(request)
}

/** Routes of any method; those with a verb exclude those for any model name. */
function routesAt(url: string): ApiRoute[] {
  const path = tablePath(url)
  const routes = apiRoutes.filter(route => patternOf(route).test(path))
  const withVerb = routes.filter(route => route.path.includes('*:'))
  return withVerb.length ? withVerb : routes
}

const tablePath = (url: string) =>
  pathOf(url)
    .replace(/^\/(?:hf(?=\/)|[\w-]{1,20}(?=\/mj(?:\/|$)))/, '')
    .replace(/\/$/, '')

const patternOf = ({ path }: ApiRoute) => new RegExp(`^${path.replace(/\/:\w+/g, '/[^/]+').replace('*', '.+')}$`)
