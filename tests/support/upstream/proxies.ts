/** Proxies that take note: one that speaks HTTP, one that speaks SOCKS5, both behind a name and a password. */
import { afterAll } from 'bun:test'
import { connect, createServer, type Server, type Socket } from 'node:net'

const PROXY_USER = 'me@home'
const PROXY_PASSWORD = 'p:w/1'
const credentials = `${encodeURIComponent(PROXY_USER)}:${encodeURIComponent(PROXY_PASSWORD)}`

export interface NotedProxy {
  /** With the right name and password in it. */
  url: string
  address: string
  /** Where its callers wanted to go. */
  targets: string[]
  connections: number
  /** Those that are still there. */
  open: number
}

const servers: Server[] = []
const sockets = new Set<Socket>()
afterAll(() => {
  for (const server of servers) server.close()
  for (const socket of sockets) socket.destroy()
})

async function listening(scheme: string, serve: (socket: Socket, proxy: NotedProxy) => void): Promise<NotedProxy> {
  const proxy: NotedProxy = { url: '', address: '', targets: [], connections: 0, open: 0 }
  const server = createServer(socket => {
    proxy.connections++
    proxy.open++
    sockets.add(socket.on('error', () => socket.destroy()).on('close', () => proxy.open--))
    serve(socket, proxy)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  servers.push(server)
  const { port } = server.address() as { port: number }
  proxy.address = `${scheme}://127.0.0.1:${port}`
  proxy.url = `${scheme}://${credentials}@127.0.0.1:${port}`
  return proxy
}

/** The proxy answers for every host itself, from this upstream. */
function lead(near: Socket, upstream: string): Socket {
  const far = connect(Number(new URL(upstream).port), '127.0.0.1')
  sockets.add(far.on('error', () => near.destroy()))
  far.pipe(near)
  return far
}

const basic = `Basic ${Buffer.from(`${PROXY_USER}:${PROXY_PASSWORD}`).toString('base64')}`
const addressed = /^(?:POST http:\/\/|(CONNECT) )([^/ ]+)\S* HTTP\/1.1\r\n(.*?)\r\n\r\n/s

export const httpProxy = (upstream: string) =>
  listening('http', (socket, proxy) => {
    const far = lead(socket, upstream)
    let text = ''
    socket.on('data', data => {
      text += data.toString('latin1')
      // A head may come in pieces.
      if (/^(POST|CONNECT) /.test(text) && !text.includes('\r\n\r\n')) return
      const [head, connects, target = '', headers = ''] = addressed.exec(text) ?? []
      if (head) proxy.targets.push(target)
      if (head && !headers.includes(basic)) socket.end('HTTP/1.1 407 Sign In\r\ncontent-length: 0\r\n\r\n')
      else if (connects) socket.write('HTTP/1.1 200 Connected\r\n\r\n')
      else far.write(Buffer.from(text.replace(/^POST http:\/\/[^/]+/, 'POST '), 'latin1'))
      text = ''
    })
  })

export const socksProxy = (upstream: string) =>
  listening('socks5', async (socket, proxy) => {
    const next = () => new Promise<Buffer>(resolve => socket.once('data', resolve))
    const greeting = await next()
    if (greeting[0] !== 5 || !greeting.subarray(2).includes(2)) return socket.end(Buffer.from([5, 0xff]))
    socket.write(Buffer.from([5, 2]))
    const signIn = await next()
    const nameEnd = 2 + signIn[1]!
    const given = [signIn.subarray(2, nameEnd), signIn.subarray(nameEnd + 1)].map(String)
    const good = given[0] === PROXY_USER && given[1] === PROXY_PASSWORD
    socket.write(Buffer.from([1, good ? 0 : 1]))
    if (!good) return socket.end()
    const request = await next()
    proxy.targets.push(`${request.subarray(5, 5 + request[4]!)}:${request.readUInt16BE(request.length - 2)}`)
    socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
    socket.pipe(lead(socket, upstream))
  })

export const silentProxy = () => listening('socks5', socket => void socket.resume())
