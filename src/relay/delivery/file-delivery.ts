/** Delivers a file: bytes pass as they come, the end waits for the bill. */
import { BodyAborted, type BodySource } from '../../stream/body-stream.ts'
import { meter } from '../charging/meter.ts'
import { ClientDisconnected } from '../errors/fault.ts'
import type { FileResponse } from '../upstream/upstream-response.ts'
import type { CallEnd } from './call-end.ts'

export class FileDelivery implements BodySource {
  #first: Uint8Array | undefined

  constructor(
    private readonly end: CallEnd,
    private readonly response: FileResponse,
  ) {
    this.#first = response.first
    end.begin({
      response,
      meter: reason => meter(end.billable, response, reason),
      hangUp: reason => reason !== 'finished' && response.abort.abort(new ClientDisconnected()),
    })
    response.call.departure.whenLeft(() => void end.finish('abandoned'))
  }

  async next(): Promise<Uint8Array | undefined> {
    const chunk = this.#first ?? (await this.#read())
    this.#first = undefined
    if (chunk) return chunk
    await this.end.finish('finished')
    if (this.end.reason !== 'finished') throw new BodyAborted()
  }

  cancelled = () => this.response.call.departure.begin()

  async #read(): Promise<Uint8Array | undefined> {
    try {
      return await this.response.source.next()
    } catch (error) {
      void this.end.finish('broken', error as Error)
    }
  }
}
