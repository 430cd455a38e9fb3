/**
 * Ways through proxies. `fetch` and `WebSocket` know those that speak HTTP; for SOCKS5 there is, for each proxy and
 * host, a socket in a folder of our own that leads there: so connections are kept and used again, and certificates are
 * checked as ever.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { log, reason } from '../process/log.ts'
import { atEnd } from '../process/shutdown.ts'
import { connectBySocks } from './socks.ts'

/** What `fetch` has to be told to reach `url` through a proxy. */
export async function tunnelThrough(proxy: string, url: string): Promise<BunFetchRequestInit> {
  return proxy.startsWith('socks') ? { unix: await tunnel(proxy, new URL(url)) } : { proxy }
}

/** What a `WebSocket` has to be told to reach `url` through a proxy. */
export async function socketThrough(
  proxy: string,
  url: string,
): Promise<{ url: string; options: Bun.WebSocketOptions }> {
  if (!proxy.startsWith('socks')) return { url, options: { proxy } }
  const target = new URL(url)
  const { protocol, host, hostname, pathname, search } = target
  const path = await tunnel(proxy, target)
  const there = `${protocol.slice(0, -1)}+unix://${path}:${pathname}${search}`
  return { url: there, options: { headers: { host }, tls: { serverName: hostname } } }
}

interface Target {
  host: string
  port: number
}

const tunnels = new Map<string, Promise<string>>()
const servers = new Set<Server>()
let folder: string | undefined
let dug = 0

function tunnel(proxy: string, { protocol, hostname, port }: URL): Promise<string> {
  const target = { host: hostname, port: Number(port) || (/^(https|wss):$/.test(protocol) ? 443 : 80) }
  const name = `${proxy} ${target.host}:${target.port}`
  const path = tunnels.get(name) ?? dig(new URL(proxy), target)
  tunnels.set(name, path)
  path.catch(() => tunnels.delete(name))
  return path
}

async function dig(proxy: URL, target: Target): Promise<string> {
  folder ??= mkdtempSync(join(tmpdir(), 'tollgate-'))
  const path = join(folder, `${dug++}.sock`)
  const server = createServer({ pauseOnConnect: true }, socket => void lead(socket, proxy, target))
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve))
  servers.add(server.unref())
  return path
}

/** Either end's leaving is the other's. */
async function lead(near: Socket, proxy: URL, { host, port }: Target) {
  near.on('error', () => near.destroy())
  try {
    const far = await connectBySocks(proxy, host, port)
    far.on('error', () => near.destroy())
    far.on('close', () => near.destroy())
    near.on('close', () => far.destroy())
    if (near.destroyed) far.destroy()
    else near.pipe(far).pipe(near)
  } catch (error) {
    log.warn('no way through the proxy', { proxy: proxy.host, host, reason: reason(error) })
    near.destroy()
  }
}

atEnd(async () => {
  for (const server of servers) server.close()
  if (folder) rmSync(folder, { recursive: true, force: true })
})
