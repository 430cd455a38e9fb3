/**
 * Fetches addresses that users supply. Names are resolved once, every address behind them is looked at, and only a
 * checked one is connected to; nothing of our own network answers, and no redirect leads there.
 */
import dns from 'node:dns/promises'
import { isIP } from 'node:net'
import { Refusal } from '../contracts/refusal.ts'
import { env } from '../env.ts'
import { log, reason } from '../process/log.ts'
import { inRange, isPublic, plainAddress } from '../pure/ip.ts'
import { type FetchProxy, fetchByProxy } from './fetch-proxy.ts'
import { readBody } from './upstream-fetch.ts'

export interface GuardedRequest {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  max_bytes: number
  /** For all of it, from the name's resolution to the last byte. */
  ms: number
  /** Fetches https addresses in our place, where the operator has one. */
  worker?: FetchProxy
}

export interface GuardedResponse {
  status: number
  /** The media type alone, in lower case. */
  type: string
  bytes: Uint8Array<ArrayBuffer>
}

/** @throws Refusal 400, the same whatever the reason: what is in our network cannot be told from what is not there. */
export async function guardedFetch(address: string, fetching: GuardedRequest): Promise<GuardedResponse> {
  const line = new AbortController()
  const late = setTimeout(() => line.abort(new Error('too late')), fetching.ms)
  try {
    const url = webAddress(address)
    const viaWorker = fetching.worker && url.protocol === 'https:'
    const response = viaWorker
      ? await fetchByProxy(fetching.worker!, { ...fetching, url: url.href }, line.signal)
      : await fetchPinned(url, await checkedAddress(url, line.signal), fetching, line.signal)
    if (response.status >= 300 && response.status < 400) throw new Error('a redirect')
    const type = (response.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase()
    const bytes = await readBody(response, line, { max_bytes: fetching.max_bytes, body_ms: fetching.ms })
    return { status: response.status, type, bytes }
  } catch (error) {
    line.abort()
    log.info('address not fetched', { reason: reason(error) })
    throw new Refusal('error.unfetchable', {}, 400)
  } finally {
    clearTimeout(late)
  }
}

/** What is left of an address once it is read as browsers do: however 127.0.0.1 was spelled, it is that now. */
function webAddress(address: string): URL {
  const url = new URL(address)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error(`the scheme ${url.protocol}`)
  if (url.username || url.password) throw new Error('a user in the address')
  const literal = plainAddress(url.hostname)
  if (isIP(literal) && !isOpen(literal, url.port)) throw new Error(`${literal} is not public`)
  return url
}

/** An address behind the name, all of them being open to users. */
async function checkedAddress({ hostname, port }: URL, signal: AbortSignal): Promise<string> {
  const literal = plainAddress(hostname)
  if (isIP(literal)) return literal
  const found = await Promise.race([dns.lookup(hostname, { all: true }), aborted(signal)])
  const closed = found.find(({ address }) => !isOpen(address, port))
  if (closed) throw new Error(`${hostname} is at ${closed.address}, which is not public`)
  const [first] = found
  if (!first) throw new Error(`${hostname} has no address`)
  return first.address
}

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

/** By the number, under the name: the certificate must be the name's, and the connection serves nobody else. */
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

/** Public addresses at the web's own ports, and what the operator opens. */
const isOpen = (address: string, port: string): boolean =>
  inRange(address, env.OUTBOUND_ALLOW) || (port === '' && isPublic(address))
