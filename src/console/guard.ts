/**
 * Who may use a route. API routes declare `{ anyone | signedIn | admin | root: true }`, page routes `{ page | userPage: … }`;
 * dangerous ones also `confirmed: true`.
 */
import { Elysia } from 'elysia'
import { Role, type SessionUser } from '../contracts/account.ts'
import type { Actor } from '../contracts/actor.ts'
import { forbidden, Refusal, unauthorized } from '../contracts/refusal.ts'
import { CONFIRM_PATH, LANDING_PATH, SECURITY_PATH } from '../contracts/security-paths.ts'
import type { Visit } from '../contracts/visit.ts'
import { isConfirmed, type Session } from '../domain/account/index.ts'
import { option } from '../domain/options/index.ts'
import { isSetUp } from '../domain/setup/index.ts'
import { lacksSecondFactor } from '../domain/two-factor/index.ts'
import { isEnabled } from '../domain/users/index.ts'
import { checkOrigin } from '../web/origin.ts'
import { checkBody } from '../web/read-body.ts'
import { addressOf, idOf } from '../web/request.ts'
import { hasSessionCookie } from '../web/session-cookie.ts'
import { namesUser } from '../web/user-id-header.ts'
import { isCsrfOf } from './csrf.ts'
import { type Identity, identify } from './identify.ts'
import { type RequestContext, visitOf } from './visit.ts'

/** A page that this visitor may not see: where to go instead. */
export class RedirectTo extends Error {
  constructor(readonly location: string) {
    super(location)
  }
}

/** `anonymous` pages (sign-in, sign-up) send signed-in visitors on; `setup` exists only until there is a root. */
type PageAccess = 'anyone' | 'anonymous' | UserPageAccess | 'setup'

/** The roles that a page of a signed-in user can ask for. */
export type UserPageAccess = 'signedIn' | 'admin' | 'root'

const roleFor: Record<UserPageAccess, number> = { signedIn: Role.user, admin: Role.admin, root: Role.root }

const isUserPage = (access: PageAccess): access is UserPageAccess => Object.hasOwn(roleFor, access)

/** What the API document states of a route. */
const accessIs = (access: UserPageAccess) => ({ 'x-access': access }) as object

/**
 * Admission runs in `transform`, before Elysia validates path and query: 401 and 403 precede 400. `resolve` hands its
 * result to the handler, and gives it a type.
 */
export const guard = new Elysia({ name: 'guard' }).macro({
  signedIn: (_: true) => ({
    detail: accessIs('signedIn'),
    transform: async ({ request, server, body }) => admitApi({ request, server, body }, Role.user),
    resolve: ({ request }) => ({ caller: callers.get(request)!, session: sessions.get(request) }),
  }),
  admin: (_: true) => ({
    detail: accessIs('admin'),
    transform: async ({ request, server, body }) => admitApi({ request, server, body }, Role.admin),
    resolve: ({ request, server }) => authorOf(request, server, callers.get(request)!),
  }),
  root: (_: true) => ({
    detail: accessIs('root'),
    transform: async ({ request, server, body }) => admitApi({ request, server, body }, Role.root),
    resolve: ({ request, server }) => authorOf(request, server, callers.get(request)!),
  }),
  anyone: (_: true) => ({
    transform: async ({ request, server, body }) => admitAnyone({ request, server, body }),
    resolve: ({ request }) => ({ caller: callers.get(request) }),
  }),
  page: (access: PageAccess) => ({
    transform: async ({ request, server, body }) => admitPage({ request, server, body }, access),
    resolve: ({ request }) => ({ visit: visits.get(request)! }),
  }),
  /** A page of a signed-in user: `caller` is always present. */
  userPage: (access: UserPageAccess) => ({
    transform: async ({ request, server, body }) => admitPage({ request, server, body }, access),
    resolve: ({ request, server }) => {
      const visit = visits.get(request)!
      return { visit, session: sessions.get(request)!, ...authorOf(request, server, visit.caller!) }
    },
  }),
  /**
   * A dangerous step: the user has proved who they are within the last minutes. `optional` lets visitors pass. Runs after
   * every admission.
   */
  confirmed: (mode: true | 'optional') => ({
    detail: { 'x-confirmed': mode } as object,
    beforeHandle: ({ request }) => {
      if (mode === true || callers.has(request) || sessions.has(request)) checkConfirmed(request)
    },
  }),
})

/** Admitted callers, visits and sessions, from `transform` to later hooks of the same request. */
const callers = new WeakMap<Request, SessionUser>()
const visits = new WeakMap<Request, Visit>()
const sessions = new WeakMap<Request, Session>()

/** @throws RedirectTo the page that asks for the password again; in the API, Refusal 403, also for every access token. */
export function checkConfirmed(request: Request) {
  if (isConfirmed(sessions.get(request))) return
  const visit = visits.get(request)
  if (!visit) throw forbidden('security.confirm_required')
  throw new RedirectTo(`${CONFIRM_PATH}?${new URLSearchParams({ returnTo: returnPath(request, visit.url) })}`)
}

/** The signed-in user, and the author of what this request changes. */
const authorOf = (request: Request, server: RequestContext['server'], caller: SessionUser) => {
  const { id, username, role } = caller
  const actor: Actor = { id, username, role, address: addressOf(request, server), request_id: idOf(request) }
  return { caller, actor }
}

/** @throws Refusal 401 without a session or its user id header, 403 for a banned user or a lower role; then for a body that cannot be read. */
async function admitApi(context: RequestContext, role: number): Promise<void> {
  const { request, body } = context
  const identity = await identify(request)
  if (!identity) throw unauthorized()
  const { user, caller, session } = identity
  if (!namesUser(request, caller.id)) throw unauthorized()
  if (!isEnabled(user)) throw forbidden('account.banned')
  if (caller.role < role) throw forbidden()
  if (role >= Role.admin && (await lacksSecondFactor(caller))) throw forbidden('security.admin_factor_missing')
  checkDemoMode(request, caller)
  checkBody(body)
  admit(context, { caller, session })
}

/** A public API route: a visitor has no caller. */
async function admitAnyone(context: RequestContext): Promise<void> {
  const identity = await identify(context.request)
  admit(context, identity && isEnabled(identity.user) ? identity : {})
}

/** @throws RedirectTo the page that this visitor may see; Refusal 403 for a form of another site, 400 for a broken one. */
async function admitPage(context: RequestContext, access: PageAccess): Promise<void> {
  const { request } = context
  const { visit, session } = await visitOf(context)
  if ((await isSetUp()) === (access === 'setup')) throw new RedirectTo(access === 'setup' ? '/login' : '/setup')
  const { caller } = visit
  if (access === 'anonymous' && caller) throw new RedirectTo(LANDING_PATH)
  if (isUserPage(access)) {
    if (!caller) throw new RedirectTo(loginUrl(request, visit.url))
    if (caller.role < roleFor[access]) throw new RedirectTo('/')
    if (roleFor[access] >= Role.admin && (await lacksSecondFactor(caller))) throw new RedirectTo(SECURITY_PATH)
    checkDemoMode(request, caller)
  }
  if (isChange(request)) checkCsrf(request, context.body, session?.id)
  visits.set(request, visit)
  admit(context, { session })
}

/** The body is read: from here to the response the connection waits for the handler, however long it takes. */
function admit({ request, server }: RequestContext, { caller, session }: Partial<Identity>) {
  if (caller) callers.set(request, caller)
  if (session) sessions.set(request, session)
  server?.timeout(request, 0)
}

const isChange = ({ method }: Request) => method !== 'GET' && method !== 'HEAD'

/** On a demo site everyone may look, and only the root account changes anything. */
function checkDemoMode(request: Request, { role }: SessionUser) {
  if (isChange(request) && role < Role.root && option('DemoSiteEnabled')) throw new Refusal('error.demo_only', {}, 405)
}

/** The login page says so when a session has ended, and leads back afterwards. */
function loginUrl(request: Request, url: string): string {
  const expired = hasSessionCookie(request) && { expired: 'true' }
  return `/login?${new URLSearchParams({ ...expired, returnTo: returnPath(request, url) })}`
}

/** The page that the visitor is on or asks for. */
const returnPath = (request: Request, url: string) => (isDocument(request) ? url : referringPage(request))

/** Form targets and fragments of a page are no address to come back to. */
const isDocument = (request: Request) =>
  !isChange(request) && ['main#main', null].includes(request.headers.get('hx-target'))

/** Path and query of the page of this site that sent the request. */
function referringPage(request: Request): string {
  const page = URL.parse(request.headers.get('referer') ?? '')
  return page?.host === request.headers.get('host') ? page.pathname + page.search : '/'
}

/** A form counts only when our own page sent it: from our origin and, signed in, with this session's token. */
function checkCsrf(request: Request, body: unknown, session_id: string | undefined) {
  checkOrigin(request)
  if (session_id && !isCsrfOf(session_id, csrfIn(request, body))) throw new Refusal('error.csrf', {}, 403)
}

function csrfIn(request: Request, body: unknown): unknown {
  const header = request.headers.get('x-csrf-token')
  if (header !== null) return header
  checkBody(body)
  return Object(body).csrf
}
