/** Who may pass. API routes say `{ anyone | signedIn | admin | root: true }`, page routes `{ page: … }`. */
import { Elysia } from 'elysia'
import { Role, type SessionUser } from '../contracts/account.ts'
import { forbidden, Refusal, unauthorized } from '../contracts/refusal.ts'
import type { Visit } from '../contracts/visit.ts'
import { isEqual } from '../crypto/sealing.ts'
import { option } from '../domain/options/index.ts'
import { isSetUp } from '../domain/setup/index.ts'
import { isEnabled } from '../domain/users/index.ts'
import { log } from '../process/log.ts'
import { sameOrigin } from '../web/origin.ts'
import { idOf } from '../web/request.ts'
import { identify } from './identify.ts'
import { bringsCookie, csrfOf } from './session-cookie.ts'
import { type RequestContext, visitOf } from './visit.ts'

/** Set by every client: proof that a request with a cookie was made by our own pages, not by a foreign form. */
const USER_ID_HEADERS = ['tollgate-user', 'new-api-user', 'veloera-user']

async function admitApi(request: Request, role: number): Promise<SessionUser> {
  const identity = await identify(request)
  if (!identity) throw unauthorized()
  const claimed = USER_ID_HEADERS.map(name => request.headers.get(name)).find(value => value !== null)
  if (claimed !== String(identity.caller.id)) throw unauthorized()
  if (!isEnabled(identity.user)) throw forbidden('account.banned')
  if (identity.caller.role < role) throw forbidden()
  checkMode(request, identity.caller)
  if (role >= Role.admin) recordChange(request, identity.caller)
  return identity.caller
}

/** Who has changed what of the site, for whoever has to find out some day. */
function recordChange(request: Request, { id: user_id, username }: SessionUser) {
  const { pathname: path } = new URL(request.url)
  if (changes(request.method))
    log.info('administration', { method: request.method, path, user_id, username, request_id: idOf(request) })
}

/** On a demo site everyone may look, and only its owner changes anything. */
function checkMode({ method }: Request, { role }: SessionUser) {
  if (changes(method) && role < Role.root && option('DemoSiteEnabled')) throw new Refusal('error.demo_only', {}, 405)
}

const changes = (method: string) => method !== 'GET' && method !== 'HEAD'

/** Who reads a public route, where they say so; it answers visitors too, so no proof is asked for. */
async function knownCaller(request: Request): Promise<SessionUser | undefined> {
  const identity = await identify(request)
  return identity && isEnabled(identity.user) ? identity.caller : undefined
}

/** A page that this visitor may not see: where to go instead. */
export class RedirectTo extends Error {
  constructor(readonly location: string) {
    super(location)
  }
}

/** `anonymous` pages (sign-in, sign-up) send signed-in visitors on; `setup` exists only until there is a root. */
type Access = 'anyone' | 'anonymous' | 'signedIn' | 'admin' | 'setup'

async function admitPage(place: RequestContext, access: Access): Promise<Visit> {
  const { request } = place
  const { visit, session_id } = await visitOf(place)
  if ((await isSetUp()) === (access === 'setup')) throw new RedirectTo(access === 'setup' ? '/' : '/setup')
  const { caller } = visit
  if (access === 'anonymous' && caller) throw new RedirectTo('/app/tokens')
  if (access === 'signedIn' || access === 'admin') {
    if (!caller) throw new RedirectTo(loginFor(request, visit.url))
    if (access === 'admin' && caller.role < Role.admin) throw new RedirectTo('/')
    checkMode(request, caller)
  }
  if (changes(request.method)) checkForm(request, place.body, session_id)
  if (access === 'admin') recordChange(request, caller!)
  return visit
}

/** Whoever was signed in is told that it has ended. */
function loginFor(request: Request, url: string): string {
  const expired = bringsCookie(request) && { expired: 'true' }
  return `/login?${new URLSearchParams({ ...expired, returnTo: isPage(request) ? url : pageOf(request) })}`
}

/** There is nothing to see where a form was sent to, or where a part of a page comes from. */
const isPage = ({ method, headers }: Request) =>
  !changes(method) && ['main#main', null].includes(headers.get('hx-target'))

/** What it was asked from. */
function pageOf(request: Request): string {
  const page = URL.parse(request.headers.get('referer') ?? '')
  return page?.host === request.headers.get('host') ? page.pathname + page.search : '/'
}

/** A form counts only when our own page sent it: from our origin and, signed in, with this session's token. */
function checkForm(request: Request, body: unknown, session_id: string | undefined) {
  const given = request.headers.get('x-csrf-token') ?? (body as { csrf?: string } | undefined)?.csrf
  if (!sameOrigin(request) || (session_id && !isEqual(given, csrfOf(session_id))))
    throw new Refusal('error.csrf', {}, 403)
}

export const guard = new Elysia({ name: 'guard' }).macro({
  signedIn: (_: true) => ({ resolve: async ({ request }) => ({ caller: await admitApi(request, Role.user) }) }),
  admin: (_: true) => ({ resolve: async ({ request }) => ({ caller: await admitApi(request, Role.admin) }) }),
  root: (_: true) => ({ resolve: async ({ request }) => ({ caller: await admitApi(request, Role.root) }) }),
  anyone: (_: true) => ({ resolve: async ({ request }) => ({ caller: await knownCaller(request) }) }),
  page: (access: Access) => ({
    resolve: async ({ request, server, body }) => {
      const visit = await admitPage({ request, server, body }, access)
      return { visit }
    },
  }),
  /** A page of a signed-in user: the same visit, with its caller known to be there. */
  own: (access: 'signedIn' | 'admin') => ({
    resolve: async ({ request, server, body }) => {
      const visit = await admitPage({ request, server, body }, access)
      return { visit, caller: visit.caller! }
    },
  }),
})
