/**
 * Proxies for outgoing connections. `fetch` and `WebSocket` support HTTP proxies; for SOCKS5, each pair of proxy and host
 * gets a local unix socket that leads there, so that connections are reused and certificates are checked.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { log, reason } from '../process/log.ts'
import { onShutdown } from '../process/shutdown.ts'
import { onReset } from '../process/stores.ts'
import { connectBySocks } from './socks.ts'

/** Options with which `fetch` reaches `url` through a proxy. */
export async function tunnelThrough(proxy: string, url: string): Promise<BunFetchRequestInit> {
  return proxy.startsWith('socks') ? { unix: await tunnelTo(proxy, new URL(url)) } : { proxy }
}

/** URL and options with which a `WebSocket` reaches `url` through a proxy. */
export async function socketThrough(
  proxy: string,
  url: string,
): Promise<{ url: string; options: Bun.WebSocketOptions }> {
  if (!proxy.startsWith('socks')) return { url, options: { proxy } }
  const target = new URL(url)
  const { protocol, host, hostname, pathname, search } = target
  const path = await tunnelTo(proxy, target)
  const unixUrl = `${protocol.slice(0, -1)}+unix://${path}:${pathname}${search}`
  return { url: unixUrl, options: { headers: { host }, tls: { serverName: hostname } } }
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

function tunnelTo(proxy: string, { protocol, hostname, port }: URL): Promise<string> {
  const end = { host: hostname, port: Number(port) || (/^(https|wss):$/.test(protocol) ? 443 : 80) }
  const name = `${proxy} ${end.host}:${end.port}`
  const path = tunnels.get(name) ?? openTunnel(new URL(proxy), end)
  tunnels.set(name, path)
  path.catch(() => tunnels.delete(name))
  return path
}

async function openTunnel(proxy: URL, end: TunnelEnd): Promise<string> {
  folder ??= mkdtempSync(join(tmpdir(), 'tollgate-'))
  const path = join(folder, `${count++}.sock`)
  const server = createServer({ pauseOnConnect: true }, socket => void connectEnds(socket, proxy, end))
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve))
  servers.add(server.unref())
  return path
}

/** Joins a local connection with one through the proxy; when either closes, so does the other. */
async function connectEnds(near: Socket, proxy: URL, { host, port }: TunnelEnd) {
  near.on('error', () => near.destroy())
  try {
    const far = await connectBySocks(proxy, host, port)
    far.on('error', () => near.destroy())
    far.on('close', () => near.destroy())
    near.on('close', () => far.destroy())
    if (near.destroyed) far.destroy()
    else near.pipe(far).pipe(near)
  } catch (error) {
    log.warn('proxy connection failed', { proxy: proxy.host, host, reason: reason(error) })
    near.destroy()
  }
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
