/** Addresses and ranges, IPv4 and IPv6, by node's own parser. */
import { BlockList, isIP } from 'node:net'

/** An IPv4 address that came in IPv6 clothes (`::ffff:1.2.3.4`) as itself. */
export const plainAddress = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/^\[|\]$/g, '')

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
  if (!isIP(address)) return false
  const list = new BlockList()
  for (const range of ranges) {
    if (!isRange(range)) continue
    const [base = '', bits] = range.split('/')
    if (bits === undefined) list.addAddress(base, family(base))
    else list.addSubnet(base, Number(bits), family(base))
  }
  return list.check(address, family(address))
}
