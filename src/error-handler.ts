/** The last word on everything that was thrown: an envelope for the API, a page for people. */
import { RedirectTo } from './console/guard.ts'
import { renderError } from './console/page.tsx'
import { type RequestContext, visitBy, visitOf } from './console/visit.ts'
import { refuse } from './web/envelope.ts'

const forMachines = /^\/(api|dashboard|custom|build)(\/|$)/

export async function answerError(error: unknown, place: RequestContext): Promise<Response> {
  const { request } = place
  if (error instanceof RedirectTo) return goTo(error.location, request)
  if (forMachines.test(new URL(request.url).pathname)) return refuse(error, request)
  // What went wrong may be that nobody can be looked up: it is said all the same.
  const { visit } = await visitOf(place).catch(() => visitBy(undefined, request))
  return renderError(request, visit, error)
}

/** htmx follows a redirect inside its request; a page that is not this part's has to be asked for whole. */
const goTo = (location: string, request: Request) =>
  request.headers.has('hx-request')
    ? new Response(null, { status: 204, headers: { 'hx-redirect': location } })
    : new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })
