/** SOCKS5 (RFC 1928, 1929), the client's side: names are looked up by the proxy. */
import { connect, isIPv4, type Socket } from 'node:net'

const VERSION = 5
const NO_PASSWORD = 0
const PASSWORD = 2
const CONNECT = 1
const ADDRESS_V4 = 1
const NAME = 3
const ADDRESS_V6 = 4
/** From the first word until the connection is made. */
const PATIENCE_MS = 8000

/** A connection through `proxy` to a host. @throws when the proxy does not make it */
export async function connectBySocks(proxy: URL, host: string, port: number): Promise<Socket> {
  const socket = connect(Number(proxy.port) || 1080, proxy.hostname.replace(/^\[|\]$/g, ''))
  const timer = setTimeout(() => socket.destroy(), PATIENCE_MS)
  try {
    const read = readerOf(socket)
    await authenticate(socket, read, proxy)
    socket.write(Buffer.from([VERSION, CONNECT, 0, ...address(host), port >> 8, port & 0xff]))
    const [, refused, , kind] = await read(4)
    if (refused) throw new Error(`the proxy refused the connection (${refused})`)
    await read(kind === ADDRESS_V4 ? 4 : kind === ADDRESS_V6 ? 16 : (await read(1))[0]!)
    await read(2)
    read.stop()
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function authenticate(socket: Socket, read: Reader, { username, password }: URL) {
  socket.write(Buffer.from([VERSION, 2, NO_PASSWORD, username ? PASSWORD : NO_PASSWORD]))
  const [version, method] = await read(2)
  if (version !== VERSION) throw new Error('not a SOCKS5 proxy')
  if (method === NO_PASSWORD) return
  if (method !== PASSWORD || !username) throw new Error('the proxy wants another way to sign in')
  const [name, word] = [username, password].map(text => Buffer.from(decodeURIComponent(text)))
  socket.write(Buffer.from([1, name!.length, ...name!, word!.length, ...word!]))
  const [, wrong] = await read(2)
  if (wrong) throw new Error('the proxy did not take the password')
}

function address(host: string): number[] {
  if (isIPv4(host)) return [ADDRESS_V4, ...host.split('.').map(Number)]
  const name = Buffer.from(host.replace(/^\[|\]$/g, ''))
  return [NAME, name.length, ...name]
}

interface Reader {
  /** Exactly so many bytes. */
  (length: number): Promise<Buffer>
  /** What comes from now on is somebody else's to read. */
  stop(): void
}

function readerOf(socket: Socket): Reader {
  let came = Buffer.alloc(0)
  let wake = () => {}
  let failed: Error | undefined
  const fail = (error = new Error('the proxy hung up')) => {
    failed ??= error
    wake()
  }
  const take = (piece: Buffer) => {
    came = Buffer.concat([came, piece])
    wake()
  }
  socket.on('data', take)
  socket.on('error', fail)
  socket.on('close', () => fail())
  const read = async (length: number) => {
    while (came.length < length) {
      if (failed) throw failed
      await new Promise<void>(resolve => {
        wake = resolve
      })
    }
    const bytes = came.subarray(0, length)
    came = came.subarray(length)
    return bytes
  }
  return Object.assign(read, {
    stop() {
      socket.pause()
      socket.off('data', take)
      if (came.length) socket.unshift(came)
    },
  })
}
