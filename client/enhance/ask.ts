/** Requests of the elements: a session that has ended leads to the sign-in page. */
import { leaveForSignIn } from './session-end.ts'

export async function ask(path: string, headers: Record<string, string>, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(path, { headers, signal, cache: 'no-store' })
  const elsewhere = response.headers.get('hx-redirect') ?? (response.status === 401 && signInPath({ expired: 'true' }))
  if (!elsewhere) return response
  if (elsewhere.startsWith('/login?')) leaveForSignIn(elsewhere)
  else location.assign(elsewhere)
  return new Promise(() => {})
}

/** The sign-in page, which leads back here. */
export const signInPath = (query: Record<string, string> = {}): string =>
  `/login?${new URLSearchParams({ ...query, returnTo: location.pathname + location.search })}`
