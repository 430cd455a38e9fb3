/** A TCP proxy before PostgreSQL or Redis that delays, cuts, goes silent, and loses replies of the server. */
import { afterAll } from 'bun:test'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** Begins the reply to a COMMIT in PostgreSQL's protocol. `ROLLBACK` has another name in it. */
export const COMMIT_REPLY = /C\0\0\0\x0bCOMMIT\0/
/** Ends the reply to an INSERT that was committed without a COMMIT: the server is ready, and in no transaction. */
export const INSERT_REPLY = /C.{4}INSERT 0 [1-9]\d*\0Z\0\0\0\x05I/s
/** Bytes of the longest match. */
const REPLY_MAX = 64

/** In the reply to the statement that commits bills. */
export const BILLS_REPLY = /"passed_over"/

interface LostReply {
  pattern: RegExp
  /** How many are still to be lost. */
  left: number
  /** The connection stays open, and nothing more comes. */
  silent: boolean
}

interface Pair {
  near: Socket
  far: Socket
}

type State = 'open' | 'silent' | 'closed'

const proxies = new Set<TcpProxy>()
afterAll(async () => {
  for (const proxy of proxies) await proxy.stop()
})

export class TcpProxy {
  /** Before each chunk, in both directions. */
  delay_ms = 0
  /** Connections that were opened so far. */
  connections = 0
  /** Replies that were lost so far. */
  lost = 0
  #lose: LostReply | undefined
  #state: State = 'open'
  #port = 0
  readonly #pairs = new Set<Pair>()
  #server: Server | undefined

  private constructor(private target: URL) {}

  /** @param url of the server: another path or database of the same server is reached by `through` */
  static async before(url: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(new URL(url))
    await proxy.#listen()
    proxies.add(proxy)
    return proxy
  }

  /** The same address by way of the proxy. */
  through(url = this.target.href): string {
    const by = new URL(url)
    by.hostname = '127.0.0.1'
    by.port = String(this.#port)
    return by.href
  }

  /** New connections go to another server; `cut` ends those to the old one. */
  leadTo(url: string) {
    this.target = new URL(url)
  }

  /** Number of connections that are open. */
  get open(): number {
    return this.#pairs.size
  }

  /** Resets all connections. New ones are taken. */
  cut() {
    for (const { near, far } of this.#pairs) {
      near.resetAndDestroy()
      far.resetAndDestroy()
    }
  }

  /** Takes no connection and resets those that are open, as a host whose server has ended. */
  async refuse() {
    this.#state = 'closed'
    const server = this.#server
    this.#server = undefined
    const closed = new Promise<void>(resolve => (server ? server.close(() => resolve()) : resolve()))
    this.cut()
    await closed
  }

  /** Passes nothing on and ends nothing, as a host that is cut off from the network: new connections hear nothing either. */
  silence() {
    this.#state = 'silent'
    for (const { near, far } of this.#pairs) {
      near.pause()
      far.pause()
    }
  }

  /** Ends every fault. Connections that were silent go on, with what has been sent meanwhile. */
  async heal() {
    this.delay_ms = 0
    this.#lose = undefined
    const before = this.#state
    this.#state = 'open'
    if (before === 'closed') await this.#listen()
    for (const { near, far } of this.#pairs) {
      near.resume()
      far.resume()
    }
  }

  /**
   * Loses replies of the server that match, and the rest of their connection.
   * @param silent the client hears no end of the connection
   */
  loseReplies(pattern: RegExp, { times = 1, silent = false } = {}) {
    this.#lose = { pattern, left: times, silent }
  }

  async stop() {
    proxies.delete(this)
    await this.refuse()
  }

  /** On the same port each time. */
  #listen() {
    const server = createServer({ pauseOnConnect: true }, near => this.#serve(near))
    this.#server = server
    return new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(this.#port, '127.0.0.1', () => {
        this.#port = (server.address() as { port: number }).port
        resolve()
      })
    })
  }

  #serve(near: Socket) {
    this.connections++
    const far = connect(Number(this.target.port), this.target.hostname)
    const pair = { near, far }
    this.#pairs.add(pair)
    const end = () => {
      this.#pairs.delete(pair)
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) socket.on('error', end).on('close', end).setNoDelay(true)
    this.#pass(near, far, chunk => chunk)
    this.#pass(far, near, this.#withoutLost(pair))
    if (this.#state === 'silent') far.pause()
    else near.resume()
  }

  /** In order, also when the delay changes. */
  #pass(from: Socket, to: Socket, filter: (chunk: Buffer) => Buffer | undefined) {
    let last = Promise.resolve()
    from.on('data', (chunk: Buffer) => {
      const passed = filter(chunk)
      if (!passed) return
      const { delay_ms } = this
      if (!delay_ms) return void last.then(() => to.write(passed))
      const due = Bun.sleep(delay_ms)
      last = last.then(() => due).then(() => void to.write(passed))
    })
  }

  /** A reply in two chunks is lost with the second one: without it the client cannot read it. */
  #withoutLost(pair: Pair) {
    let tail = Buffer.alloc(0)
    let isOver = false
    return (chunk: Buffer): Buffer | undefined => {
      if (isOver) return
      const lose = this.#lose
      if (!lose || lose.left === 0) return chunk
      const seen = Buffer.concat([tail, chunk])
      tail = seen.subarray(Math.max(0, seen.length - REPLY_MAX))
      if (!lose.pattern.test(seen.toString('latin1'))) return chunk
      lose.left--
      this.lost++
      isOver = true
      if (!lose.silent) for (const socket of [pair.near, pair.far]) socket.resetAndDestroy()
    }
  }
}
