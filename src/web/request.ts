/** Facts of a request before its body is read: id, client address, scheme, path, cookies, language. */
import { requestId } from '../crypto/random-id.ts'
import { env } from '../env.ts'
import { languageOf } from '../locales/index.ts'
import type { Language } from '../locales/languages.ts'
import { forwardedAddress, inRange, plainAddress } from '../pure/ip.ts'

const ids = new WeakMap<Request, string>()

/** The id in the header `x-request-id` and in every log line of this request. */
export function idOf(request: Request): string {
  const known = ids.get(request)
  if (known) return known
  const id = requestId()
  ids.set(request, id)
  return id
}

type Server = { requestIP(request: Request): { address: string } | null } | null | undefined

/** The address in tests, which have no socket. */
const loopback = '127.0.0.1'

/**
 * The client's address. `X-Forwarded-For` is read from its end while each hop is a trusted proxy, and up to the first
 * entry that is no address.
 */
export function addressOf(request: Request, server: Server): string {
  let address = plainAddress(server?.requestIP(request)?.address ?? loopback)
  if (!env.TRUSTED_PROXIES.length) return address
  const hops = (request.headers.get('x-forwarded-for') ?? '').split(',')
  while (hops.length && inRange(address, env.TRUSTED_PROXIES)) {
    const hop = forwardedAddress(hops.pop()!)
    if (!hop) break
    address = hop
  }
  return address
}

/** Whether the client's connection is https; a trusted proxy's `X-Forwarded-Proto` decides. */
export function isSecure(request: Request, server: Server): boolean {
  const peer = plainAddress(server?.requestIP(request)?.address ?? loopback)
  const forwarded = inRange(peer, env.TRUSTED_PROXIES) ? request.headers.get('x-forwarded-proto') : null
  return (forwarded ?? new URL(request.url).protocol.slice(0, -1)) === 'https'
}

/** The origin of this site as the client sees it. */
export const siteOf = (request: Request, server: Server): string =>
  `${isSecure(request, server) ? 'https' : 'http'}://${new URL(request.url).host}`

/** The path without the query. */
export const pathOf = (url: string) => {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const query = url.indexOf('?', start)
  return query < 0 ? url.slice(start) : url.slice(start, query)
}

const LANGUAGE_COOKIE = 'language'

/** @returns undefined for a missing or malformed cookie */
export const cookieOf = (request: Request, name: string): string | undefined => {
  for (const part of (request.headers.get('cookie') ?? '').split(';')) {
    const [key, ...value] = part.trim().split('=')
    if (key === name) return decoded(value.join('='))
  }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

export const languageFor = (request: Request): Language =>
  languageOf(cookieOf(request, LANGUAGE_COOKIE), request.headers.get('accept-language'))
