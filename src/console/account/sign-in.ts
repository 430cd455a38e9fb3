/** Signing in and out as a request does it: the cookie comes with the answer. */

import { checkPassword, closeSession, openSession } from '../../domain/account/index.ts'
import { addressOf, isSecure } from '../../web/request.ts'
import { bySession } from '../identify.ts'
import { clearedCookie, writeCookie } from '../session-cookie.ts'

interface Asked {
  request: Request
  server: Parameters<typeof addressOf>[1]
}

/** Signs in and answers with the cookie to set. */
export async function signIn(
  { request, server }: Asked,
  { username, password }: { username: string; password: string },
) {
  const user = await checkPassword(username, password)
  const session_id = await openSession(user, {
    address: addressOf(request, server),
    device: request.headers.get('user-agent') ?? '',
  })
  return { user, cookie: await writeCookie({ user_id: user.id, session_id }, isSecure(request, server)) }
}

/** Ends the session of a request, if it has one. */
export async function signOut({ request, server }: Asked) {
  const identity = await bySession(request)
  if (identity?.session_id) await closeSession(identity.session_id)
  return clearedCookie(isSecure(request, server))
}
