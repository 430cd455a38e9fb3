/** The chat sites and apps that a user lets have API keys, in a cookie of their browser. */
import type { SessionUser } from '../../contracts/account.ts'
import { preferenceCookie } from '../../contracts/preference.ts'
import { cookieOf } from '../../web/request.ts'

/** The newest stay. */
const RECEIVERS_MAX = 20

/** Whom an address leads to: the origin of a site, the scheme of an app with its colon. */
const receiverOf = (url: URL): string => (/^https?:$/.test(url.protocol) ? url.origin : url.protocol)

/** One for each user of a browser. */
const cookieName = ({ id }: SessionUser) => `chat-sites-${id}`

const receiversIn = (request: Request, caller: SessionUser): string[] =>
  (cookieOf(request, cookieName(caller)) ?? '').split(' ').filter(Boolean)

export const hasConsent = (request: Request, caller: SessionUser, url: URL): boolean =>
  receiversIn(request, caller).includes(receiverOf(url))

/** The cookie that adds the receiver at an address. */
export const consentTo = (request: Request, caller: SessionUser, url: URL): string => {
  const others = receiversIn(request, caller).filter(receiver => receiver !== receiverOf(url))
  return preferenceCookie(cookieName(caller), [...others, receiverOf(url)].slice(-RECEIVERS_MAX).join(' '))
}
