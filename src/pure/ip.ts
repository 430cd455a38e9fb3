/** Addresses and ranges, IPv4 and IPv6, by node's own parser. */
import { BlockList, isIP } from 'node:net'

/** An IPv4 address that came in IPv6 clothes (`::ffff:1.2.3.4`) as itself. */
export const plainAddress = (address: string) => address.replace(/^\[|\]$/g, '').replace(/^::ffff:(?=\d+\.)/i, '')

/** An address as a proxy writes it, perhaps with the port behind it; undefined for what is none. */
export function forwardedAddress(text: string): string | undefined {
  const bare = text.trim().replace(/^(\[[^\]]*\]|[^:]*):\d{1,5}$/, '$1')
  const address = plainAddress(bare)
  return isIP(address) ? address : undefined
}

const GROUPS = 8
/** Of IPv6, the part that tells one subscriber from another: the rest is the subscriber's to choose. */
const SUBSCRIBER_GROUPS = 4

/** Whose an address is, as far as limits go. */
export function subscriberAt(address: string): string {
  if (isIP(address) !== 6) return address
  const [before = [], behind = []] = address.split('::').map(part => part.split(':').filter(Boolean))
  const between = Array(Math.max(0, GROUPS - before.length - behind.length)).fill('0')
  return [...before, ...between, ...behind]
    .slice(0, SUBSCRIBER_GROUPS)
    .map(group => Number.parseInt(group, 16))
    .join(':')
}

const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Whether `text` is an address or a CIDR range. */
export function isRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const kind = isIP(address)
  if (!kind || rest.length) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (kind === 6 ? 128 : 32))
}

/** Whether an address is in one of the ranges; what is not a range holds nothing. */
export function inRange(address: string, ranges: readonly string[]): boolean {
  const list = new BlockList()
  for (const range of ranges) {
    if (!isRange(range)) continue
    const [base = '', bits] = range.split('/')
    if (bits === undefined) list.addAddress(base, family(base))
    else list.addSubnet(base, Number(bits), family(base))
  }
  return list.check(address, family(address))
}
