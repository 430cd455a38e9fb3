/** Whether an address is one of this machine. */
import { networkInterfaces } from 'node:os'
import { inRange } from '../pure/ip.ts'
import { checkedAddresses } from './network-guard.ts'

const LOOPBACK = ['127.0.0.0/8', '::1/128', '0.0.0.0/32', '::/128']
const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 }

/** Whether a URL leads to a port of this machine, by one of its addresses. A name that is unknown leads nowhere. */
export async function leadsHere(address: string, port: number): Promise<boolean> {
  const url = new URL(address)
  if ((Number(url.port) || DEFAULT_PORTS[url.protocol]) !== port) return false
  const found = await checkedAddresses(url.hostname, () => true).catch(() => [])
  const own = Object.values(networkInterfaces()).flatMap(list => list?.map(({ address }) => address) ?? [])
  return found.some(one => inRange(one, LOOPBACK) || own.includes(one))
}
