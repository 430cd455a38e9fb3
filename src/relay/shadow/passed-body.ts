/** The body of the old gateway's answer on its way: each chunk is read along when the client has it. */
import type { ChunkReader } from '../../net/upstream-fetch.ts'
import { BodyAborted, type BodySource } from '../../stream/body-stream.ts'
import { ClientDisconnected } from '../errors/fault.ts'
import type { PassEnd, ShadowedCall } from './shadowed-call.ts'

export class PassedBody implements BodySource {
  /** The last chunk that the client was given. */
  #given: Uint8Array<ArrayBuffer> | undefined
  #isOver = false

  /** @param call absent where nothing is kept of it */
  constructor(
    private readonly chunks: ChunkReader,
    private readonly abort: AbortController,
    private readonly call: ShadowedCall | undefined,
    private readonly share: Disposable,
  ) {}

  async next(): Promise<Uint8Array | undefined> {
    const coming = this.chunks.next()
    this.#readGiven()
    try {
      const chunk = await coming
      this.#given = chunk
      if (!chunk) this.#end('finished')
      return chunk
    } catch {
      this.#end('broken')
      throw new BodyAborted()
    }
  }

  cancelled = () => {
    this.abort.abort(new ClientDisconnected())
    this.#end('abandoned')
  }

  #readGiven() {
    if (this.#given) this.call?.read(this.#given)
    this.#given = undefined
  }

  #end(end: PassEnd) {
    if (this.#isOver) return
    this.#isOver = true
    this.share[Symbol.dispose]()
    this.#readGiven()
    this.call?.ended(this.abort.signal.reason instanceof ClientDisconnected ? 'abandoned' : end)
  }
}
