/** Whether anybody is there at an address: `fetch` does not tell a host that thinks from one that cannot be reached. */
import { connect } from 'node:net'
import { now } from '../process/clock.ts'

const PATIENCE_MS = 4000
/** Whoever was there is taken to be there for so long: those who think for minutes are not knocked at by every call. */
const TRUSTED_SECONDS = 60
const usualPorts: Record<string, number> = { 'https:': 443, 'http:': 80 }
const SOCKS_PORT = 1080

const asking = new Map<string, Promise<boolean>>()
const lastThere = new Map<string, number>()

/** Whether a connection can be made. Many who ask at the same time ask once. */
export function isReachable(address: string): Promise<boolean> {
  const url = new URL(address)
  const name = `${url.protocol}//${url.host}`
  if (now() - (lastThere.get(name) ?? 0) < TRUSTED_SECONDS) return Promise.resolve(true)
  const answer = asking.get(name) ?? knock(url).finally(() => asking.delete(name))
  asking.set(name, answer)
  return answer.then(there => {
    if (there) lastThere.set(name, now())
    return there
  })
}

/** No further than the connection itself: what is said on it may take its time. */
function knock({ protocol, hostname, port }: URL): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const socket = connect({ host, port: Number(port) || (usualPorts[protocol] ?? SOCKS_PORT) })
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), PATIENCE_MS)
  socket.on('connect', () => resolve(true))
  socket.on('error', () => resolve(false))
  return promise.finally(() => {
    clearTimeout(timer)
    socket.destroy()
  })
}
