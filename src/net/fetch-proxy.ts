/** The fetch proxy: an operator's worker that fetches users' URLs, so that their servers never see our address. */

export interface FetchProxy {
  url: string
  /** Shared secret that authorizes us at the worker. */
  key: string
}

interface ProxiedRequest {
  url: string
  method?: string
  headers?: Record<string, string>
  /** JSON text. */
  body?: string
}

/**
 * The body goes as JSON inside JSON; the worker writes it out again, byte for byte the text that a signature covers.
 * @returns the response that the worker forwards
 */
export const fetchByProxy = (
  proxy: FetchProxy,
  { url, method = 'GET', headers = {}, body }: ProxiedRequest,
  signal: AbortSignal,
) =>
  fetch(`${proxy.url}/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url, key: proxy.key, method, headers, body: body && JSON.parse(body) }),
    redirect: 'manual',
    timeout: false,
    signal,
  } as RequestInit)
