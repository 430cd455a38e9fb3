/** Uncaught errors of every route: an envelope for the API, an error page for browsers. */
import { RedirectTo } from './console/guard.ts'
import { redirectTo, renderError } from './console/page.tsx'
import { buildVisit, type RequestContext, visitOf } from './console/visit.ts'
import { refuse } from './web/envelope.ts'

const apiPaths = /^\/(api|dashboard|custom|build)(\/|$)/

export async function errorResponse(error: unknown, context: RequestContext): Promise<Response> {
  const { request } = context
  if (error instanceof RedirectTo) return redirect(error.location, request)
  if (apiPaths.test(new URL(request.url).pathname)) return refuse(error, request)
  const { visit } = await visitOf(context).catch(() => buildVisit(request))
  return renderError(request, visit, error)
}

/** htmx follows a redirect inside its request, so it gets `hx-redirect` for a page that has to be loaded whole. */
const redirect = (location: string, request: Request) =>
  request.headers.has('hx-request')
    ? new Response(null, { status: 204, headers: { 'hx-redirect': location } })
    : redirectTo(location)
