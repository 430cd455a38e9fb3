/**
 * Fetches URLs that users supply, protected against SSRF: a name is resolved once, all its addresses must be public, the
 * connection goes to a checked one, and redirects are refused.
 */
import { isIP } from 'node:net'
import { type FetchFailure, Refusal } from '../contracts/refusal.ts'
import { log, reason } from '../process/log.ts'
import { isPublic, plainAddress } from '../pure/ip.ts'
import { type FetchProxy, fetchByProxy } from './fetch-proxy.ts'
import { checkedAddresses, isOpened, PrivateAddressError } from './network-guard.ts'
import { NetworkError, readBody } from './upstream-fetch.ts'

export interface GuardedRequest {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  /** JSON text. */
  body?: string
  max_bytes: number
  /** Milliseconds from the resolution of the name to the last byte. */
  ms: number
  /** The operator's fetch proxy, for https URLs. */
  worker?: FetchProxy
}

export interface GuardedResponse {
  status: number
  /** Media type in lower case, without parameters. */
  type: string
  bytes: Uint8Array<ArrayBuffer>
}

/** The same refusal for every failure: the response must not reveal what exists in our network, except to root. */
export class Unfetchable extends Refusal {
  constructor(readonly failure: FetchFailure) {
    super('error.unfetchable', {}, 400)
  }
}

/** @throws Unfetchable */
export async function guardedFetch(address: string, request: GuardedRequest): Promise<GuardedResponse> {
  const abort = new AbortController()
  const timeout = setTimeout(() => abort.abort(new NetworkError('timeout')), request.ms)
  try {
    const url = webAddress(address)
    const viaWorker = request.worker && url.protocol === 'https:'
    const response = viaWorker
      ? await fetchByProxy(request.worker!, { ...request, url: url.href }, abort.signal)
      : await fetchPinned(url, await checkedAddress(url, abort.signal), request, abort.signal)
    if (response.status >= 300 && response.status < 400) throw new NetworkError('redirect', String(response.status))
    const type = (response.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase()
    const bytes = await readBody(response, abort, { max_bytes: request.max_bytes, body_ms: request.ms })
    return { status: response.status, type, bytes }
  } catch (error) {
    abort.abort()
    log.info('address not fetched', { reason: reason(error) })
    throw new Unfetchable(failureOf(error))
  } finally {
    clearTimeout(timeout)
  }
}

function failureOf(error: unknown): FetchFailure {
  if (error instanceof PrivateAddressError) return 'private'
  return error instanceof NetworkError ? error.failure : 'unreachable'
}

/** The URL, parsed as browsers do: every spelling of 127.0.0.1 becomes that. @throws Error when it is not allowed */
function webAddress(address: string): URL {
  const url = new URL(address)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error(`the scheme ${url.protocol}`)
  if (url.username || url.password) throw new Error('a user in the address')
  const literal = plainAddress(url.hostname)
  if (isIP(literal) && !isAllowed(literal, url.port)) throw new PrivateAddressError(`${literal} is not public`)
  return url
}

/** An IP address of the host. @throws Error when one of its addresses is not allowed */
async function checkedAddress({ hostname, port }: URL, signal: AbortSignal): Promise<string> {
  const checked = checkedAddresses(hostname, address => isAllowed(address, port))
  const [first] = await Promise.race([checked, aborted(signal)])
  return first!
}

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

/** Connects to the checked address with the name in `Host` and SNI; the certificate must be for the name. No keep-alive. */
function fetchPinned(url: URL, address: string, { method, headers, body }: GuardedRequest, signal: AbortSignal) {
  const host = isIP(address) === 6 ? `[${address}]` : address
  const pinned = `${url.protocol}//${host}${url.port && `:${url.port}`}${url.pathname}${url.search}`
  return fetch(pinned, {
    method,
    headers: { 'accept-encoding': 'identity', ...headers, host: url.host },
    body,
    redirect: 'manual',
    keepalive: false,
    timeout: false,
    signal,
    tls: isIP(plainAddress(url.hostname)) ? undefined : { serverName: url.hostname },
  } as RequestInit)
}

/** Public addresses at the default ports, and the ranges in `OUTBOUND_ALLOW`. */
const isAllowed = (address: string, port: string): boolean => isOpened(address) || (port === '' && isPublic(address))
