/** A file on its way: its bytes go on as they come; its end waits for the bill. */
import { type EndReason, wasServed } from '../../contracts/relay.ts'
import { log, reason } from '../../process/log.ts'
import { deadline } from '../../process/shutdown.ts'
import { BodyAborted, type BodySource } from '../../stream/body-stream.ts'
import type { BillableCall } from '../call.ts'
import { settle } from '../charging/settle.ts'
import { ClientDisconnected } from '../errors/fault.ts'
import type { Leave } from '../request/admit.ts'
import type { FileResponse } from '../upstream/upstream-response.ts'

export class FileDelivery implements BodySource {
  #first: Uint8Array | undefined
  #ending: EndReason | undefined
  #settled: ReturnType<typeof settle> | undefined
  readonly #stop = () => this.#breakOff('stopped')

  constructor(
    private readonly order: BillableCall,
    private readonly answer: FileResponse,
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
    if (this.#ending !== 'finished') throw new BodyAborted()
  }

  cancelled = () => this.#breakOff('abandoned')

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
  #breakOff(ending: EndReason) {
    this.#ending ??= ending
    this.answer.abort.abort(new ClientDisconnected())
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
