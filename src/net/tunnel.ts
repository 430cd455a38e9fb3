/**
 * Routes of outgoing connections. `fetch` and `WebSocket` support HTTP proxies; for SOCKS5 and for guarded hosts, each
 * pair of route and host gets a local unix socket that leads there, so that connections are reused and certificates are
 * checked. A WebSocket has one of its own, which counts what comes: Bun's client bounds no message (1.4).
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { log, reason } from '../process/log.ts'
import { onShutdown } from '../process/shutdown.ts'
import { onReset } from '../process/stores.ts'
import { connectChecked, namesPrivateAddress, PrivateAddressError, pinned } from './network-guard.ts'
import { connectBySocks } from './socks.ts'

export interface OutgoingRoute {
  /** URL of an HTTP or SOCKS5 proxy, with its user name and password. */
  proxy?: string
  /** Refuses addresses of the own network, as host and as proxy, when each connection is made. */
  guarded?: boolean
}

/**
 * Options with which `fetch` reaches `url`.
 * @throws PrivateAddressError for a private proxy, or a private address behind one
 */
export async function fetchRoute(url: string, route: OutgoingRoute): Promise<BunFetchRequestInit> {
  const proxy = await httpProxyOf(route, url)
  return proxy ? { proxy } : { unix: await tunnelTo(route, new URL(url)) }
}

/**
 * URL and options with which one `WebSocket` reaches `url`.
 * @param passes sees the bytes that come, unless an HTTP proxy is on the way; false closes the connection
 * @throws PrivateAddressError as `fetchRoute`
 */
export async function socketRoute(
  url: string,
  route: OutgoingRoute,
  passes: (bytes: number) => boolean,
): Promise<{ url: string; options: Bun.WebSocketOptions }> {
  const proxy = await httpProxyOf(route, url)
  if (proxy) return { url, options: { proxy } }
  const target = new URL(url)
  const { protocol, host, hostname, pathname, search } = target
  const path = await openTunnel(route, endOf(target), passes)
  const unixUrl = `${protocol.slice(0, -1)}+unix://${path}:${pathname}${search}`
  return { url: unixUrl, options: { headers: { host }, tls: { serverName: hostname } } }
}

async function httpProxyOf({ proxy, guarded }: OutgoingRoute, url: string): Promise<string | undefined> {
  if (proxy && guarded && namesPrivateAddress(url)) throw new PrivateAddressError(`${new URL(url).host} is not public`)
  if (!proxy || proxy.startsWith('socks')) return undefined
  if (!guarded) return proxy
  const { href } = await pinned(proxy)
  // The certificate of a proxy that speaks TLS is for its name, and keeps another answer for the name from passing.
  return proxy.startsWith('https:') ? proxy : href
}

interface TunnelEnd {
  host: string
  port: number
}

/** Paths of the unix sockets, by proxy and host. */
const tunnels = new Map<string, Promise<string>>()
const servers = new Set<Server>()
let folder: string | undefined
let count = 0
/** Limit of the local connection to a tunnel for one request. */
const CONNECT_TIMEOUT_MS = 30_000

const endOf = ({ protocol, hostname, port }: URL): TunnelEnd => ({
  host: hostname,
  port: Number(port) || (/^(https|wss):$/.test(protocol) ? 443 : 80),
})

function tunnelTo(route: OutgoingRoute, url: URL): Promise<string> {
  const end = endOf(url)
  const name = `${route.proxy ?? ''} ${route.guarded ?? false} ${end.host}:${end.port}`
  const path = tunnels.get(name) ?? openTunnel(route, end)
  tunnels.set(name, path)
  path.catch(() => tunnels.delete(name))
  return path
}

/** @param passes of a tunnel for one connection */
async function openTunnel(route: OutgoingRoute, end: TunnelEnd, passes?: Passes): Promise<string> {
  folder ??= mkdtempSync(join(tmpdir(), 'tollgate-'))
  const path = join(folder, `${count++}.sock`)
  const server = createServer({ pauseOnConnect: true }, socket => {
    if (passes) close()
    void connectEnds(socket, route, end, passes)
  })
  const close = () => {
    server.close()
    servers.delete(server)
  }
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve))
  servers.add(server.unref())
  if (passes) setTimeout(close, CONNECT_TIMEOUT_MS).unref()
  return path
}

type Passes = (bytes: number) => boolean

/** Joins a local connection with one on the route; when either closes, so does the other. */
async function connectEnds(near: Socket, route: OutgoingRoute, { host, port }: TunnelEnd, passes?: Passes) {
  near.on('error', () => near.destroy())
  try {
    const far = await connectFar(route, host, port)
    far.on('error', () => near.destroy())
    far.on('close', () => near.destroy())
    near.on('close', () => far.destroy())
    if (passes) far.on('data', bytes => passes(bytes.length) || near.destroy())
    if (near.destroyed) far.destroy()
    else near.pipe(far).pipe(near)
  } catch (error) {
    const proxy = route.proxy && new URL(route.proxy).host
    log.warn(`${proxy ? 'proxy' : 'tunnelled'} connection failed`, { proxy, host, reason: reason(error) })
    near.destroy()
  }
}

async function connectFar({ proxy, guarded }: OutgoingRoute, host: string, port: number): Promise<Socket> {
  if (!proxy) return connectChecked(host, port, guarded)
  return connectBySocks(guarded ? await pinned(proxy) : new URL(proxy), host, port)
}

function closeTunnels() {
  for (const server of servers) server.close()
  if (folder) rmSync(folder, { recursive: true, force: true })
  tunnels.clear()
  servers.clear()
  folder = undefined
}
onShutdown('flush', closeTunnels)
onReset('tunnels', closeTunnels)
