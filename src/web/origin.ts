/** Whether a request was sent by a page of this very site, and where a visitor may be sent back to. */
import { Refusal } from '../contracts/refusal.ts'

/** By the headers that no page can forge. A client that is no browser sends neither, and holds no cookie. */
export function sameOrigin(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site) return site === 'same-origin' || site === 'none'
  const origin = request.headers.get('origin')
  return origin === null || URL.parse(origin)?.host === request.headers.get('host')
}

/** For what counts without a session to prove it by. @throws Refusal 403 for what another site's page sent. */
export function checkOrigin(request: Request) {
  if (!sameOrigin(request)) throw new Refusal('error.csrf', {}, 403)
}

const anywhere = 'http://site.invalid'

/** `path` if it is one and stays on this site, else the fallback. */
export function localPath(path: unknown, fallback: string): string {
  const url = typeof path === 'string' && path.startsWith('/') ? URL.parse(path, anywhere) : null
  if (url?.origin !== anywhere) return fallback
  const local = url.pathname + url.search + url.hash
  // Dots are gone only now: `/.//elsewhere` would be another site to a browser.
  return local.startsWith('//') ? fallback : local
}
