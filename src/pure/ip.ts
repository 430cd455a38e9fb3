/** IP addresses and CIDR ranges. An IPv4-mapped IPv6 address (`::ffff:1.2.3.4`) is the IPv4 address. */
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js'

const zone = /%.+$/

/** Without its zone, which names an interface of one machine. Undefined for other texts, `127.1` and `010.0.0.1` too. */
function parse(text: string): IPv4 | IPv6 | undefined {
  const address = text.includes('%') ? text.replace(zone, '') : text
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address)
  if (ipaddr.IPv6.isValid(address)) return ipaddr.process(address)
}

/** The shortest spelling of an address, without brackets and zone. Names and other texts stay as they are. */
export function plainAddress(text: string): string {
  return text.includes(':') ? (parse(text.replace(/^\[|\]$/g, ''))?.toString() ?? text) : text
}

/** An address as a proxy writes it, with or without a port. @returns undefined for other texts */
export function forwardedAddress(text: string): string | undefined {
  const address = text.trim().replace(/^(\[[^\]]*\]|[^:]*):\d{1,5}$/, '$1')
  return parse(address.replace(/^\[|\]$/g, ''))?.toString()
}

/** An IPv6 subscriber has a network of 64 bits and chooses the rest of the address. */
const SUBSCRIBER_GROUPS = 4

/** The subscriber at an address, as a key of rate limits. */
export function subscriberAt(text: string): string {
  const address = parse(text)
  return address?.kind() === 'ipv6' ? (address as IPv6).parts.slice(0, SUBSCRIBER_GROUPS).join(':') : text
}

/** Whether `text` is an address or a CIDR range. */
export const isRange = (text: string): boolean => parseRange(text) !== undefined

/** Whether an address is in one of the ranges. A text that is no range contains nothing. */
export function inRange(text: string, ranges: readonly string[]): boolean {
  const address = parse(text)
  if (!address) return false
  const wide = widened(address)
  return ranges.some(range => {
    const found = rangeOf(range)
    return found !== undefined && wide.match(...found)
  })
}

/** Whether an address is public, by the registries of IANA. Addresses that embed an IPv4 address (NAT64, 6to4) are not. */
export function isPublic(text: string): boolean {
  const address = parse(text)
  if (address?.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || widened(address).match(...GLOBAL_V6)
}

type Range = [base: IPv6, bits: number]

/** The part of IPv6 that is assigned to networks. */
const GLOBAL_V6: Range = [ipaddr.IPv6.parse('2000::'), 3]
const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
const MAPPED_BITS = 96
const V6_BYTES = 16

/** IPv4 as IPv6, so that `::/0` contains all addresses. */
const widened = (address: IPv4 | IPv6): IPv6 =>
  ipaddr.fromByteArray([...MAPPED, ...address.toByteArray()].slice(-V6_BYTES)) as IPv6

function parseRange(text: string): Range | undefined {
  const cidr = text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`
  if (!ipaddr.IPv6.isValidCIDR(cidr) && !ipaddr.IPv4.isValidCIDRFourPartDecimal(cidr)) return
  const [base, bits] = ipaddr.parseCIDR(cidr)
  return [widened(base), base.kind() === 'ipv4' ? bits + MAPPED_BITS : bits]
}

/** Ranges by their text: an API key brings its own at each call. */
const rangeMemo = new Map<string, Range | undefined>()
const PARSED_MAX = 10_000

function rangeOf(text: string): Range | undefined {
  if (!rangeMemo.has(text)) {
    if (rangeMemo.size === PARSED_MAX) rangeMemo.clear()
    rangeMemo.set(text, parseRange(text))
  }
  return rangeMemo.get(text)
}
