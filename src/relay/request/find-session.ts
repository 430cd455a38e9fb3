/** The session of the console that a request carries. */
import { readCookie } from '../../web/session-cookie.ts'

/** The account is loaded with the first session: a gateway that only relays has none. */
export async function findSession(request: Request) {
  const claims = await readCookie(request)
  if (!claims) return undefined
  const account = await import('../../domain/account/index.ts')
  return account.findSession(claims)
}
