/** TCP probes: `fetch` cannot tell a slow host from an unreachable one. */
import { connect } from 'node:net'
import { now } from '../process/clock.ts'
import { store } from '../process/stores.ts'

const PROBE_TIMEOUT_MS = 4000
/** A successful probe is cached, so that slow upstreams are not probed on every call. */
const CACHE_SECONDS = 60
const defaultPorts: Record<string, number> = { 'https:': 443, 'http:': 80 }
const SOCKS_PORT = 1080

const running = new Map<string, Promise<boolean>>()
const lastReached = store('reached-hosts', new Map<string, number>())

/** Whether the host of a URL accepts a connection. Concurrent calls share one probe. */
export function isReachable(address: string): Promise<boolean> {
  const url = new URL(address)
  const name = `${url.protocol}//${url.host}`
  if (now() - (lastReached.get(name) ?? 0) < CACHE_SECONDS) return Promise.resolve(true)
  const probe = running.get(name) ?? connects(url).finally(() => running.delete(name))
  running.set(name, probe)
  return probe.then(isReached => {
    if (isReached) lastReached.set(name, now())
    return isReached
  })
}

/** Opens a connection and closes it without a byte. */
function connects({ protocol, hostname, port }: URL): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const socket = connect({ host, port: Number(port) || (defaultPorts[protocol] ?? SOCKS_PORT) })
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), PROBE_TIMEOUT_MS)
  socket.on('connect', () => resolve(true))
  socket.on('error', () => resolve(false))
  return promise.finally(() => {
    clearTimeout(timer)
    socket.destroy()
  })
}
