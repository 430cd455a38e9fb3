/** A file on its way: its bytes go on as they come; its end waits for the bill. */
import { type Ending, wasServed } from '../../contracts/relay.ts'
import { log, reason } from '../../process/log.ts'
import { deadline } from '../../process/shutdown.ts'
import { CutOff, type Show } from '../../stream/body-stream.ts'
import type { Order } from '../call.ts'
import { settle } from '../charging/settle.ts'
import { Abandoned } from '../errors/fault.ts'
import type { Leave } from '../request/admit.ts'
import type { FileAnswer } from '../upstream/upstream-response.ts'

export class FileDelivery implements Show {
  #first: Uint8Array | undefined
  #ending: Ending | undefined
  #settled: ReturnType<typeof settle> | undefined
  readonly #stop = () => this.#breakOff('stopped')

  constructor(
    private readonly order: Order,
    private readonly answer: FileAnswer,
    private readonly leave: Leave,
  ) {
    this.#first = answer.first
    deadline.addEventListener('abort', this.#stop)
  }

  async next(): Promise<Uint8Array | undefined> {
    const piece = this.#first ?? (await this.#hear())
    this.#first = undefined
    if (piece) return piece
    await this.#settle()
    if (this.#ending !== 'finished') throw new CutOff()
  }

  left = () => this.#breakOff('abandoned')

  async #hear(): Promise<Uint8Array | undefined> {
    try {
      const piece = await this.answer.source.next()
      if (!piece) this.#ending ??= 'finished'
      return piece
    } catch (error) {
      if (!this.#ending) this.order.call.attempts.at(-1)!.reason = (error as Error).message
      this.#ending ??= 'broken'
    }
  }

  /** Ends it before its end. */
  #breakOff(ending: Ending) {
    this.#ending ??= ending
    this.answer.line.abort(new Abandoned())
    this.#settle().catch(error => log.error('file not settled', { reason: reason(error) }))
  }

  /** By the first ending. */
  #settle() {
    if (!this.#settled) {
      deadline.removeEventListener('abort', this.#stop)
      this.leave(wasServed(this.#ending!))
      this.#settled = settle(this.order, this.answer, this.#ending!)
    }
    return this.#settled
  }
}
