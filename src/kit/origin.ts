/** Whether a request was sent by a page of this very site, and where a visitor may be sent back to. */
import { Refusal } from './refusal.ts'

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
  if (typeof path !== 'string' || !/^\/(?!\/)/.test(path) || /[\\\t\n\r]/.test(path)) return fallback
  const url = URL.parse(path, anywhere)
  return url?.origin === anywhere ? url.pathname + url.search + url.hash : fallback
}
