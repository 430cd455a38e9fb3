/** Which addresses a connection may lead to when its host was not chosen by root. */
import dns from 'node:dns/promises'
import { connect, isIP, type Socket } from 'node:net'
import { env } from '../env.ts'
import { inRange, isPublic, plainAddress } from '../pure/ip.ts'

/** A host with an address that is neither public nor in `OUTBOUND_ALLOW`. */
export class PrivateAddressError extends Error {}

/** Whether root has opened the address. */
export const isOpened = (address: string): boolean => inRange(address, env.OUTBOUND_ALLOW)

const isAllowed = (address: string): boolean => isOpened(address) || isPublic(address)

/** Whether a URL names an address of the own network itself. A name is judged when it is resolved. */
export function namesPrivateAddress(url: string): boolean {
  const host = plainAddress(URL.parse(url)?.hostname ?? '')
  if (isIP(host)) return !isAllowed(host)
  return /(?:^|\.)localhost\.?$/i.test(host) && !isAllowed(LOOPBACK)
}

const LOOPBACK = '127.0.0.1'

/**
 * Resolves a name once: connections go to these addresses, so that no second answer of its server leads elsewhere.
 * @throws PrivateAddressError when one of them is not allowed, Error without any
 */
export async function checkedAddresses(hostname: string, allows = isAllowed): Promise<string[]> {
  const literal = plainAddress(hostname)
  const found = isIP(literal) ? [literal] : (await dns.lookup(hostname, { all: true })).map(({ address }) => address)
  const refused = found.find(address => !allows(address))
  if (refused) throw new PrivateAddressError(`${hostname} is at ${refused}, which is not public`)
  if (!found.length) throw new Error(`${hostname} has no address`)
  return found
}

/** Whether a failed connection to the host was refused by its address. Never throws. */
export const isPrivateHost = (url: string): Promise<boolean> =>
  checkedAddresses(new URL(url).hostname).then(
    () => false,
    error => error instanceof PrivateAddressError,
  )

/** The URL with the host's checked address in place of its name. */
export async function pinned(url: string): Promise<URL> {
  const target = new URL(url)
  const [address] = await checkedAddresses(target.hostname)
  target.hostname = isIP(address!) === 6 ? `[${address}]` : address!
  return target
}

/** Milliseconds until the next address of the host is tried. */
const CONNECT_TIMEOUT_MS = 4000

/** A connection to a checked address of the host, or to any. @throws Error when none accepts it */
export async function connectChecked(host: string, port: number, guarded = true): Promise<Socket> {
  const addresses = await checkedAddresses(host, guarded ? isAllowed : () => true)
  let failure: unknown
  for (const address of addresses) {
    try {
      return await connected(address, port)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

function connected(host: string, port: number): Promise<Socket> {
  const socket = connect({ host, port, noDelay: true })
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const timer = setTimeout(() => reject(new Error('no connection')), CONNECT_TIMEOUT_MS)
  socket.once('connect', () => resolve(socket)).once('error', reject)
  return promise
    .catch(error => {
      socket.destroy()
      throw error
    })
    .finally(() => clearTimeout(timer))
}
