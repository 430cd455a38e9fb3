/** Sign-in and sign-out of a request: sessions are opened and closed together with the cookie. */
import { forbidden, unauthorized } from '../contracts/refusal.ts'
import { PENDING_SECONDS } from '../contracts/security.ts'
import { SECOND_FACTOR_PATH, SECURITY_PATH } from '../contracts/security-paths.ts'
import { beginPending, closeSession, forgetAttempts, openSession, type PendingSignIn } from '../domain/account/index.ts'
import { hasPasskey, hasSecondFactor, lacksSecondFactor } from '../domain/two-factor/index.ts'
import { isEnabled, keepLanguage, type User } from '../domain/users/index.ts'
import { translate } from '../locales/index.ts'
import { ok } from '../web/envelope.ts'
import { hostCookie, hostCookieOf } from '../web/host-cookie.ts'
import { addressOf, isSecure, languageFor } from '../web/request.ts'
import { clearedCookie, writeCookie } from '../web/session-cookie.ts'
import { bySession } from './identify.ts'
import { knownBrowserCookie, originOf } from './known-browser.ts'
import type { NextNotice } from './notice.tsx'
import { redirectTo } from './page.tsx'
import type { RequestContext } from './visit.ts'

export type SignInContext = Pick<RequestContext, 'request' | 'server'>

/** The outcome of a sign-in: a session, or a ticket for the second step. `cookies` are to be set in both cases. */
export interface SignInOutcome {
  user: User
  cookies: string[]
  ticket?: string
}

const PENDING_COOKIE = 'second-factor'

/**
 * The only way from a user whose first factor is proved to a session, whichever it was: a password, a login provider.
 * @throws Refusal
 */
export async function completeSignIn(user: User, context: SignInContext): Promise<SignInOutcome> {
  if (!isEnabled(user)) throw forbidden('account.banned')
  if (!(await hasSecondFactor(user.id))) return openSessionOf(user, context)
  const { ticket, secret } = await beginPending(user)
  const cookie = hostCookie(PENDING_COOKIE, `${ticket}.${secret}`, PENDING_SECONDS, secureIn(context))
  return { user, cookies: [cookie], ticket }
}

/** A session for a user who has proved every factor. */
export async function openSessionOf(user: User, context: SignInContext): Promise<SignInOutcome> {
  const { request, server } = context
  const session_id = await openSession(user, {
    address: addressOf(request, server),
    device: request.headers.get('user-agent') ?? '',
  })
  await forgetAttempts(user, originOf(context))
  await keepLanguage(user, languageFor(request))
  const session = await writeCookie({ user_id: user.id, session_id }, secureIn(context))
  return { user, cookies: [session, knownBrowserCookie(context, user)] }
}

/** The sign-in that this browser has begun. @param ticket as the client names it @throws Refusal 401 */
export function pendingIn(context: SignInContext, ticket?: string): PendingSignIn {
  const [own = '', secret = ''] = hostCookieOf(context.request, PENDING_COOKIE, secureIn(context))?.split('.') ?? []
  if (!secret || (ticket !== undefined && ticket !== own)) throw unauthorized('security.sign_in_ended')
  return { ticket: own, secret }
}

const secureIn = ({ request, server }: SignInContext) => isSecure(request, server)

/** The API's response to a sign-in. */
export async function signInResponse({ user, cookies, ticket }: SignInOutcome, request: Request) {
  const { id, username, display_name, role, status, group } = user
  const body = ticket
    ? {
        success: false as const,
        message: translate(languageFor(request), 'security.second_factor_required'),
        code: 'security.second_factor_required',
        data: { ticket, passkey: await hasPasskey(id) },
      }
    : ok({ id, username, display_name, role, status, group })
  return withCookies(Response.json(body), cookies)
}

/** The way on from a page after a sign-in. @param path a local path */
export async function redirectAfterSignIn({ user, cookies, ticket }: SignInOutcome, path: string, notice?: NextNotice) {
  const next = `${SECOND_FACTOR_PATH}?${new URLSearchParams({ returnTo: path })}`
  if (ticket) return withCookies(redirectTo(next), cookies)
  return withCookies(redirectTo((await lacksSecondFactor(user)) ? SECURITY_PATH : path, notice), cookies)
}

function withCookies(response: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}

/** Ends the session of a request, if it has one. @returns the cookie to set */
export async function signOut({ request, server }: SignInContext) {
  const identity = await bySession(request)
  if (identity?.session) await closeSession(identity.session.id)
  return clearedCookie(isSecure(request, server))
}
