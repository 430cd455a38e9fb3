/** What is known of a request before anyone looks inside: its id, its caller's address, its language. */
import type { Language } from '../contracts/languages.ts'
import { requestId } from '../crypto/random-id.ts'
import { env } from '../env.ts'
import { languageOf } from '../locales/index.ts'
import { forwardedAddress, inRange, plainAddress } from '../pure/ip.ts'

const ids = new WeakMap<Request, string>()

/** The id that the answer's `x-request-id` and every log line of this request carry. */
export function idOf(request: Request): string {
  const known = ids.get(request)
  if (known) return known
  const id = requestId()
  ids.set(request, id)
  return id
}

type Server = { requestIP(request: Request): { address: string } | null } | null | undefined

/** In tests there is no socket: the request then comes from this machine. */
const loopback = '127.0.0.1'

/**
 * The caller's address. Forwarding headers count only when the peer, and every hop before, is a trusted proxy; behind a
 * hop that is no address, whoever wrote the rest is unknown.
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

/** Whether the visitor's own connection is https, as far as a trusted proxy says. */
export function isSecure(request: Request, server: Server): boolean {
  const peer = plainAddress(server?.requestIP(request)?.address ?? loopback)
  const forwarded = inRange(peer, env.TRUSTED_PROXIES) ? request.headers.get('x-forwarded-proto') : null
  return (forwarded ?? new URL(request.url).protocol.slice(0, -1)) === 'https'
}

/** The address of this site as its visitor has it. */
export const siteOf = (request: Request, server: Server): string =>
  `${isSecure(request, server) ? 'https' : 'http'}://${new URL(request.url).host}`

const LANGUAGE_COOKIE = 'language'

/** A value that is not written as cookies are is none: a browser that holds one must still get its pages. */
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
