/**
 * The cookie of a browser in which a user has signed in: its failed sign-ins count on their own. It opens no session,
 * and ends with the password that was used.
 */
import { randomToken } from '../crypto/random-id.ts'
import { isEqual, sign } from '../crypto/sealing.ts'
import type { AttemptOrigin } from '../domain/account/index.ts'
import { anyUser, type User } from '../domain/users/index.ts'
import { hostCookie, hostCookieOf } from '../web/host-cookie.ts'
import { addressOf, isSecure } from '../web/request.ts'
import type { RequestContext } from './visit.ts'

type Context = Pick<RequestContext, 'request' | 'server'>
type Owner = Pick<User, 'id' | 'password'>

const DEVICE_BYTES = 16
/** The longest time for which browsers keep a cookie. */
const COOKIE_SECONDS = 400 * 24 * 3600

/** Several users of one browser have a cookie each. */
const nameFor = ({ id }: Owner) => `known-${id}`

const signatureOf = ({ id, password }: Owner, device: string) => sign('known-browser', `${id}\n${device}\n${password}`)

/** The origin of an attempt to sign in. */
export const originOf = (context: Context): AttemptOrigin => ({
  address: addressOf(context.request, context.server),
  deviceOf: user => deviceIn(context, user),
})

/** @returns undefined without a valid cookie of this user */
function deviceIn({ request, server }: Context, user: Owner): string | undefined {
  const [device = '', signature] = hostCookieOf(request, nameFor(user), isSecure(request, server))?.split('.') ?? []
  return isEqual(signature, signatureOf(user, device)) ? device : undefined
}

/** Makes a browser known again, after its user has changed the password. */
export async function rememberBrowser(context: Context, user_id: number, headers: Headers) {
  headers.append('set-cookie', knownBrowserCookie(context, (await anyUser(user_id))!))
}

/** The cookie to set after a sign-in. A known browser keeps its id. @param made the id of a browser that is not known */
export function knownBrowserCookie(context: Context, user: Owner, made = randomToken(DEVICE_BYTES)): string {
  const device = deviceIn(context, user) ?? made
  const value = `${device}.${signatureOf(user, device)}`
  return hostCookie(nameFor(user), value, COOKIE_SECONDS, isSecure(context.request, context.server))
}
