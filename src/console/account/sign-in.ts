/** Sessions of a request: opened and closed together with the cookie. */
import { checkPassword, closeSession, openSession } from '../../domain/account/index.ts'
import { addressOf, isSecure } from '../../web/request.ts'
import { bySession } from '../identify.ts'
import { clearedCookie, writeCookie } from '../session-cookie.ts'
import type { RequestContext } from '../visit.ts'

type SignInContext = Pick<RequestContext, 'request' | 'server'>

/** @returns the user and the cookie to set. @throws Refusal for wrong credentials */
export async function signIn(
  { request, server }: SignInContext,
  { username, password }: { username: string; password: string },
) {
  const user = await checkPassword(username, password)
  const session_id = await openSession(user, {
    address: addressOf(request, server),
    device: request.headers.get('user-agent') ?? '',
  })
  return { user, cookie: await writeCookie({ user_id: user.id, session_id }, isSecure(request, server)) }
}

/** Ends the session of a request, if it has one. @returns the cookie to set */
export async function signOut({ request, server }: SignInContext) {
  const identity = await bySession(request)
  if (identity?.session_id) await closeSession(identity.session_id)
  return clearedCookie(isSecure(request, server))
}
