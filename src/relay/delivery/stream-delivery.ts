/** A stream on its way: events go on as they come, are read along, and end with the bill. */

import { quotaOf } from '../../billing/bill.ts'
import { usageOf } from '../../billing/usage.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { type EndReason, EVENT_MAX_BYTES, OUTPUT_STEP, wasServed } from '../../contracts/relay.ts'
import { redacted } from '../../domain/channels/index.ts'
import { extend } from '../../domain/wallet/index.ts'
import type { EventKind } from '../../formats/format.ts'
import { NetworkError } from '../../net/upstream-fetch.ts'
import { setCoarseTimer } from '../../process/coarse-timer.ts'
import { log, reason } from '../../process/log.ts'
import { deadline } from '../../process/shutdown.ts'
import type { BodySource } from '../../stream/body-stream.ts'
import { asBuffer, dataIn, dataOf, eventsIn, PING, toBytes } from '../../stream/sse.ts'
import type { BillableCall } from '../call.ts'
import { costOf, withCost } from '../charging/cost.ts'
import { expectedOutput } from '../charging/reserve.ts'
import { quotaSoFar, settle } from '../charging/settle.ts'
import { faultOf, unusableResponse } from '../errors/classify-error.ts'
import { troubleOf } from '../errors/explain.ts'
import { ClientDisconnected, Fault } from '../errors/fault.ts'
import type { Leave } from '../request/admit.ts'
import type { FirstEvents, StreamedResponse } from '../upstream/upstream-response.ts'
import { arrives, keepAliveInterval_ms } from './keep-alive.ts'

const none = Buffer.alloc(0)
const utf8 = new TextEncoder()

const running = new Set<Delivery>()
deadline.addEventListener('abort', () => {
  for (const delivery of running) delivery.stop()
})

export class Delivery implements BodySource {
  #ending: EndReason | undefined
  #trouble: Error | undefined
  #closed = false
  #settled: ReturnType<typeof settle> | undefined
  /** The event that is the last word, or will be unless another follows. */
  #held = ''
  #reading: Promise<Uint8Array<ArrayBuffer> | undefined> | undefined
  /** Output tokens that the reservation has room for. */
  #covered: number
  readonly #ping_ms = keepAliveInterval_ms()

  constructor(
    private readonly order: BillableCall,
    private readonly answer: StreamedResponse,
    private readonly leave: Leave,
  ) {
    this.#covered = order.price.mode === 'call' ? Number.POSITIVE_INFINITY : expectedOutput(order.call)
    running.add(this)
  }

  async next(): Promise<Uint8Array | undefined> {
    while (!this.#ending) {
      const { first_events } = this.answer
      const bytes = first_events ? this.#begin(first_events) : await this.#goOn()
      if (this.answer.facts.output_estimate > this.#covered) await this.#afford()
      if (bytes?.byteLength) return bytes
    }
    return this.#closed ? undefined : this.#close()
  }

  cancelled() {
    this.#end('abandoned')
    this.#settle().catch(error => log.error('stream not settled', { reason: reason(error) }))
  }

  /** The process ends: so does this, with what it has had. */
  stop() {
    this.#end('stopped', new Refusal('relay.stopping', {}, 503))
    this.#settle().catch(error => log.error('stream not settled', { reason: reason(error) }))
  }

  #begin({ events, read, kind }: FirstEvents): Uint8Array {
    this.answer.first_events = undefined
    const { facts } = this.answer
    const first = toBytes(this.#take(kind, events.toString('latin1', 0, read)))
    if (this.#ending) return facts.takeRewritten ? utf8.encode(facts.takeRewritten()) : first
    const unread = events.subarray(read)
    const passed = this.#read(unread)
    if (facts.takeRewritten) return passed
    return first.length === read && passed === unread ? events : Buffer.concat([first, passed])
  }

  async #goOn(): Promise<Uint8Array | undefined> {
    const piece = await this.#hear()
    if (typeof piece === 'string') return toBytes(piece)
    if (!piece) return undefined
    const { cutter } = this.answer
    const events = cutter.push(asBuffer(piece))
    if (cutter.pending > EVENT_MAX_BYTES) this.#end('broken', unusableResponse())
    return events && this.#read(events)
  }

  /** Reads whole events along. @returns what goes on to the caller: the very same bytes when all do. */
  #read(events: Buffer): Uint8Array {
    if (this.answer.facts.takeRewritten) return this.#retell(events)
    const skimmed = this.answer.facts.skim?.(events) ?? 0
    if (skimmed === events.length) return events
    const rest = [...eventsIn(events.subarray(skimmed))]
    const passed = this.#pass(rest)
    return passed === rest ? events : Buffer.concat([events.subarray(0, skimmed), toBytes(passed.join(''))])
  }

  #retell(events: Buffer): Uint8Array {
    const { facts } = this.answer
    for (const data of dataIn(events)) {
      this.#judge(facts.read(data))
      if (this.#ending) break
    }
    return utf8.encode(facts.takeRewritten!())
  }

  /** The next bytes, a comment when there are none for long, or nothing at the end. */
  async #hear(): Promise<Uint8Array<ArrayBuffer> | string | undefined> {
    try {
      this.#reading ??= this.answer.source.next()
      if (this.#ping_ms && !(await arrives(this.#reading, this.#ping_ms))) return PING
      const piece = await this.#reading
      this.#reading = undefined
      return piece ?? this.#atEnd()
    } catch (error) {
      this.#fail(error)
    }
  }

  /** No more bytes. Without a word that it was complete, the answer was cut off. */
  #atEnd(): string {
    const { cutter, facts } = this.answer
    const kept = cutter.rest.trim() ? this.#read(toBytes(`${cutter.rest}\n\n`)) : none
    if (facts.finished) this.#end('finished')
    else this.#end('broken', new Fault({ status: 502, code: 'relay.upstream_broke_off', retry: false }))
    return Buffer.from(kept).toString('latin1')
  }

  #fail(error: unknown) {
    const { facts } = this.answer
    if (error instanceof ClientDisconnected) return this.#end('abandoned')
    if (facts.finished) return this.#end('finished')
    const silent = error instanceof NetworkError && error.failure === 'timeout'
    const code = silent ? 'relay.upstream_silent' : 'relay.upstream_broke_off'
    this.#end('broken', new Fault({ status: silent ? 504 : 502, code, retry: false }))
  }

  /** The events that go on to the caller: the very same list when all do. */
  #pass(events: string[]): string[] {
    const passed: string[] = []
    for (const event of events) {
      passed.push(this.#passOne(event))
      if (this.#ending) return passed
    }
    return passed.every((event, index) => event === events[index]) ? events : passed
  }

  /** One that reports all that was used tells its cost as well. */
  #passOne(event: string): string {
    const { facts } = this.answer
    const data = dataOf(event)
    if (data === undefined) return event
    const { usage_report } = facts
    const passed = this.#take(facts.read(data), event)
    return facts.usage_report !== usage_report && facts.finished && passed === event ? this.#priced(event) : passed
  }

  /** What goes on now that this has come: what was held for want of another, and it itself unless it is held. */
  #take(kind: EventKind, event: string): string {
    const held = this.#held
    this.#held = kind === 'end' || kind === 'finish' ? event : ''
    return this.#judge(kind) ? held + event : held
  }

  #priced(event: string): string {
    const cost = costOf(this.order, quotaSoFar(this.order, this.answer))
    return withCost(toBytes(event), cost).toString('latin1')
  }

  /** Whether an event of this kind goes on. */
  #judge(kind: EventKind): boolean {
    const { facts, channel } = this.answer
    if (kind === 'content') return true
    if (kind === 'usage') return this.order.call.facts.wants_usage
    if (kind === 'finish') return false
    if (kind === 'end') this.#end('finished')
    else if (kind === 'broken' || !facts.error) this.#end('broken', unusableResponse())
    else this.#end('broken', faultOf({ status: facts.error.status, error: facts.error }, channel))
    return false
  }

  /** Holds more as the answer outgrows what was held; what has come is delivered, and billed, in any case. */
  async #afford() {
    if (this.#ending) return
    const missing = this.answer.facts.output_estimate - this.#covered
    const steps = Math.ceil(missing / OUTPUT_STEP)
    const { price, reservation } = this.order
    const more = quotaOf(usageOf({ output: steps * OUTPUT_STEP }), price)
    this.#covered += steps * OUTPUT_STEP
    try {
      if (!(await extend(reservation, more))) this.#end('exhausted', outOfQuota())
    } catch (error) {
      // The books cannot be asked: that is not the channel's fault.
      this.#end('stopped', error as Error)
    }
  }

  /** The first ending counts. */
  #end(ending: EndReason, trouble?: Error) {
    if (this.#ending) return
    this.#ending = ending
    this.#trouble = trouble
    if (ending === 'broken') this.#blame(trouble)
    if (ending === 'finished') void drain(this.answer)
    else this.answer.abort.abort(new ClientDisconnected())
  }

  /** For operators: what began well did not end so. */
  #blame(trouble: Error | undefined) {
    const { facts, channel } = this.answer
    const said = facts.error && redacted(facts.error.message, channel)
    this.order.call.attempts.at(-1)!.reason = said || trouble?.message || ''
  }

  #settle() {
    if (!this.#settled) {
      running.delete(this)
      this.leave(wasServed(this.#ending!))
      this.#settled = settle(this.order, this.answer, this.#ending!)
    }
    return this.#settled
  }

  /** The last bytes, after the commit. */
  async #close(): Promise<Uint8Array | undefined> {
    this.#closed = true
    const { call } = this.order
    const { facts } = this.answer
    try {
      const metered = await this.#settle()
      if (this.#ending === 'abandoned') return undefined
      if (this.#ending === 'finished') {
        const last = Buffer.concat([Buffer.from(facts.end(metered, call.facts.wants_usage)), toBytes(this.#held)])
        return withCost(last, costOf(this.order, metered.quota))
      }
    } catch (error) {
      this.#trouble = error as Error
    }
    const { trouble } = troubleOf(this.#trouble, call)
    return Buffer.from(facts.fail?.(trouble) ?? call.endpoint.format.writeErrorFrame(trouble))
  }
}

const outOfQuota = () => new Refusal('relay.insufficient_user_quota', {}, 403)

/** After the end no more than this is worth waiting for. */
const LAST_BITS_MS = 2000

/** Reads what little comes after the end, so that the connection can serve again. */
async function drain({ source, abort }: StreamedResponse) {
  const switchOff = setCoarseTimer(LAST_BITS_MS, () => abort.abort(new ClientDisconnected()))
  try {
    while (await source.next());
  } catch {
    // It broke after the end: nobody misses anything.
  }
  switchOff()
}
