/** The chat sites that a user lets have API keys, by origin, in a cookie of their browser. */
import type { SessionUser } from '../../contracts/account.ts'
import { preferenceCookie } from '../../contracts/preference.ts'
import { cookieOf } from '../../web/request.ts'

/** The newest stay. */
const SITES_MAX = 20

/** One for each user of a browser. */
const cookieName = ({ id }: SessionUser) => `chat-sites-${id}`

const sitesIn = (request: Request, caller: SessionUser): string[] =>
  (cookieOf(request, cookieName(caller)) ?? '').split(' ').filter(Boolean)

export const hasConsent = (request: Request, caller: SessionUser, origin: string): boolean =>
  sitesIn(request, caller).includes(origin)

/** The cookie that adds a site. */
export const consentTo = (request: Request, caller: SessionUser, origin: string): string => {
  const others = sitesIn(request, caller).filter(site => site !== origin)
  return preferenceCookie(cookieName(caller), [...others, origin].slice(-SITES_MAX).join(' '))
}
