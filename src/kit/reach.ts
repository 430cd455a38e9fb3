/** Whether anybody is there at an address: `fetch` does not tell a host that thinks from one that cannot be reached. */
import { connect } from 'node:net'
import { connect as connectSecurely } from 'node:tls'

const PATIENCE_MS = 4000
const usualPorts: Record<string, number> = { 'https:': 443, 'http:': 80 }
const SOCKS_PORT = 1080

const asking = new Map<string, Promise<boolean>>()

/** Whether a connection can be made; many who ask at the same time ask once. */
export function isThere(address: string): Promise<boolean> {
  const url = new URL(address)
  const name = `${url.protocol}//${url.host}`
  const answer = asking.get(name) ?? knock(url).finally(() => asking.delete(name))
  asking.set(name, answer)
  return answer
}

function knock({ protocol, hostname, port }: URL): Promise<boolean> {
  const isSecure = protocol === 'https:'
  const host = hostname.replace(/^\[|\]$/g, '')
  const target = { host, port: Number(port) || (usualPorts[protocol] ?? SOCKS_PORT) }
  // Whether its certificate is to be trusted is for those to find out who have something to say.
  const socket = isSecure
    ? connectSecurely({ ...target, servername: host, rejectUnauthorized: false })
    : connect(target)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), PATIENCE_MS)
  socket.on(isSecure ? 'secureConnect' : 'connect', () => resolve(true))
  socket.on('error', () => resolve(false))
  return promise.finally(() => {
    clearTimeout(timer)
    socket.destroy()
  })
}
