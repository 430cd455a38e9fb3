/** Cross-site checks: whether a page of this site sent a request, and which paths a redirect may use. */
import { Refusal } from '../contracts/refusal.ts'

/** Reads headers that no page can forge. A client without them is no browser and has no cookie. */
export function sameOrigin(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site) return site === 'same-origin' || site === 'none'
  const origin = request.headers.get('origin')
  return origin === null || URL.parse(origin)?.host === request.headers.get('host')
}

/** For requests without a session and its CSRF token. @throws Refusal 403 for a request of another site's page */
export function checkOrigin(request: Request) {
  if (!sameOrigin(request)) throw new Refusal('error.csrf', {}, 403)
}

const ANY_SITE = 'http://site.invalid'

/** @returns `path` if it is a local path, else the fallback */
export function localPath(path: unknown, fallback: string): string {
  const url = typeof path === 'string' && path.startsWith('/') ? URL.parse(path, ANY_SITE) : null
  if (url?.origin !== ANY_SITE) return fallback
  const local = url.pathname + url.search + url.hash
  // Checked after dots are resolved: browsers take `/.//elsewhere` for another site.
  return local.startsWith('//') ? fallback : local
}
