/** Delivers a stream: events pass as they come and are read along; the last ones wait for the bill. */

import { EVENT_MAX_BYTES, OUTPUT_STEP } from '../../contracts/relay.ts'
import { isShortage } from '../../domain/wallet/index.ts'
import type { EventKind } from '../../formats/format.ts'
import { NetworkError } from '../../net/upstream-fetch.ts'
import { setCoarseTimer } from '../../process/coarse-timer.ts'
import type { BodySource } from '../../stream/body-stream.ts'
import { asBuffer, dataIn, dataOf, eventsIn, PING, toBytes } from '../../stream/sse.ts'
import { costOf, withCost } from '../charging/cost.ts'
import { outputQuota } from '../charging/estimate.ts'
import { meter, quotaSoFar } from '../charging/meter.ts'
import type { UnseenOutput } from '../charging/unseen-output.ts'
import { faultOf, unusableResponse } from '../errors/classify-error.ts'
import { explain } from '../errors/explain.ts'
import { ClientDisconnected, Fault } from '../errors/fault.ts'
import type { FirstEvents, StreamedResponse } from '../upstream/upstream-response.ts'
import type { CallEnd } from './call-end.ts'
import { drain } from './drain.ts'
import { failureEvents } from './failure-events.ts'
import { keepAliveInterval_ms, settlesWithin } from './keep-alive.ts'
import { FAILURE_TIMEOUT_MS, NativeFailure } from './native-failure.ts'

const none = Buffer.alloc(0)
/** Attempts to skim on within one read: a stream of other events than text is read event by event. */
const SKIMS_MAX = 4
/** How often a reservation grows while a model thinks unseen. */
const GROWTH_INTERVAL_MS = 1000
const utf8 = new TextEncoder()

export class StreamDelivery implements BodySource {
  #closed = false
  /** The last event, or one that is last unless another follows. */
  #held = ''
  readonly #failure = new NativeFailure()
  #reading: Promise<Uint8Array<ArrayBuffer> | undefined> | undefined
  readonly #keep_alive_ms = keepAliveInterval_ms()
  #is_reading = false

  constructor(
    private readonly end: CallEnd,
    private readonly response: StreamedResponse,
  ) {
    end.begin({
      response,
      meter: reason => meter(end.billable, response, reason),
      hangUp: reason => {
        if (reason === 'finished') void drain(response)
        else response.abort.abort(new ClientDisconnected())
      },
      failure: () => response.facts.error,
    })
    if (response.thinking) this.#growWhileThinking(response.thinking)
    response.call.departure.whenLeft(this.#readOn)
  }

  async next(): Promise<Uint8Array | undefined> {
    if (this.#is_reading) return undefined
    this.#is_reading = true
    const bytes = await this.#deliverNext()
    this.#is_reading = false
    return bytes
  }

  async #deliverNext(): Promise<Uint8Array | undefined> {
    const { departure } = this.response.call
    while (!this.end.reason) {
      const { first_events } = this.response
      const bytes = first_events ? this.#begin(first_events) : await this.#readNext()
      this.response.thinking?.observe(this.response.facts)
      if (this.#output > this.end.billable.reservation.output) await this.#extend()
      if (bytes?.byteLength && !departure.hasLeft) return bytes
    }
    return this.#closed ? undefined : this.#close()
  }

  cancelled = () => this.response.call.departure.begin()

  /** The client has left: the upstream is read on, without a pull of the client. */
  #readOn = () => {
    if (this.response.abort.signal.aborted) void this.end.finish('abandoned')
    else void this.next()
  }

  /** Output tokens so far, with thoughts that are not shown. */
  get #output(): number {
    const { facts, thinking } = this.response
    if (!thinking) return facts.output_estimate
    return Math.max(facts.output_estimate + thinking.unseen(facts), facts.reported_output ?? 0)
  }

  /** No event comes while a model thinks unseen. */
  #growWhileThinking(thinking: UnseenOutput) {
    setCoarseTimer(GROWTH_INTERVAL_MS, () => {
      if (this.end.reason || !thinking.isOn) return
      if (this.#output > this.end.billable.reservation.output) void this.#extend()
      this.#growWhileThinking(thinking)
    })
  }

  #begin({ events, from, read, kind }: FirstEvents): Uint8Array {
    this.response.first_events = undefined
    const unread = events.subarray(read)
    const { facts } = this.response
    if (facts.takeRewritten) {
      // Even an event that is the last is of another format than the client's, and is not held for it.
      this.#passes(kind)
      return this.end.reason ? utf8.encode(facts.takeRewritten()) : this.#rewrite(unread)
    }
    const last = toBytes(this.#take(kind, events.toString('latin1', from, read)))
    const before = events.subarray(0, from)
    if (this.end.reason) return Buffer.concat([before, last])
    const passed = this.#read(unread)
    return last.length === read - from && passed === unread ? events : Buffer.concat([before, last, passed])
  }

  async #readNext(): Promise<Uint8Array | undefined> {
    const chunk = await this.#nextChunk()
    if (typeof chunk === 'string') return toBytes(chunk)
    if (!chunk) return undefined
    const { cutter } = this.response
    const events = cutter.push(asBuffer(chunk))
    if (cutter.pending > EVENT_MAX_BYTES) this.#break(unusableResponse())
    return events && this.#read(events)
  }

  /** Reads whole events. @returns what passes to the client: the same bytes when all do */
  #read(events: Buffer): Uint8Array {
    const { facts } = this.response
    if (facts.takeRewritten) return this.#rewrite(events)
    const passed: Uint8Array[] = []
    let unchanged_from = 0
    let at = facts.skim?.(events) ?? 0
    let skims = SKIMS_MAX
    while (at < events.length && !this.end.reason) {
      for (const event of eventsIn(events.subarray(at))) {
        const written = this.#pass(event)
        if (written !== event) {
          passed.push(events.subarray(unchanged_from, at), toBytes(written))
          unchanged_from = at + event.length
        }
        at += event.length
        if (this.end.reason) break
        const skimmed = skims-- > 0 ? (facts.skim?.(events.subarray(at)) ?? 0) : 0
        at += skimmed
        if (skimmed) break
      }
    }
    if (!passed.length && at === events.length) return events
    return Buffer.concat([...passed, events.subarray(unchanged_from, at)])
  }

  #rewrite(events: Buffer): Uint8Array {
    const { facts } = this.response
    for (const data of dataIn(events)) {
      this.#passes(facts.read(data))
      if (this.end.reason) break
    }
    return utf8.encode(facts.takeRewritten!())
  }

  /** The next bytes, a comment after a pause, or undefined at the end. */
  async #nextChunk(): Promise<Uint8Array<ArrayBuffer> | string | undefined> {
    try {
      this.#reading ??= this.response.source.next()
      if (this.#keep_alive_ms && !(await settlesWithin(this.#reading, this.#keep_alive_ms))) return PING
      const chunk = await this.#reading
      this.#reading = undefined
      if (chunk) this.response.call.departure.count(chunk.byteLength)
      return chunk ?? this.#readRest()
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Reads an event without its blank line. A stream without an end marker was cut off. */
  #readRest(): string {
    const { cutter, facts } = this.response
    const passed = cutter.rest.trim() ? this.#read(toBytes(`${cutter.rest}\n\n`)) : none
    if (facts.finished && !facts.error) void this.end.finish('finished')
    else this.#break(this.#fault ?? brokeOff(502, 'relay.upstream_broke_off'))
    return Buffer.from(passed).toString('latin1')
  }

  #fail(error: unknown) {
    if (error instanceof ClientDisconnected) void this.end.finish('abandoned')
    else if (this.#fault) this.#break(this.#fault)
    else if (this.response.facts.finished) void this.end.finish('finished')
    else if (error instanceof NetworkError && error.failure === 'timeout')
      this.#break(brokeOff(504, 'relay.upstream_silent'))
    else this.#break(brokeOff(502, 'relay.upstream_broke_off'))
  }

  #break(error: Error) {
    void this.end.finish('broken', error)
  }

  /** @returns what passes to the client for an event, with the cost beside the usage */
  #pass(event: string): string {
    const { facts } = this.response
    const data = dataOf(event)
    if (data === undefined) return event
    const { usage_report } = facts
    const passed = this.#take(facts.read(data), event)
    return facts.usage_report !== usage_report && facts.finished && passed === event ? this.#withCost(event) : passed
  }

  /** @returns the held event, with this one unless it may be the last and is held instead */
  #take(kind: EventKind, event: string): string {
    if (kind === 'failing' || kind === 'failed') this.#failure.add(kind, event)
    const held = this.#held
    this.#held = kind === 'end' || kind === 'finish' ? event : ''
    return this.#passes(kind) && !this.#failure.begun ? held + event : held
  }

  #withCost(event: string): string {
    const { billable } = this.end
    const cost = costOf(billable, quotaSoFar(billable, this.response))
    return withCost(toBytes(event), cost).toString('latin1')
  }

  /** Whether an event of this kind passes to the client. */
  #passes(kind: EventKind): boolean {
    const { facts, call } = this.response
    if (kind === 'content') return true
    if (kind === 'usage') return call.facts.wants_usage
    if (kind === 'finish') return false
    if (kind === 'end' && !facts.error) void this.end.finish('finished')
    else if (kind === 'failing' && !facts.takeRewritten) this.#awaitFailure()
    else this.#break((kind !== 'broken' && this.#fault) || unusableResponse())
    return false
  }

  /** The failure that the upstream has reported. */
  get #fault(): Fault | undefined {
    const { facts, channel } = this.response
    return facts.error && faultOf({ status: facts.error.status, error: facts.error }, channel)
  }

  /** The upstream has more to say of its failure. */
  #awaitFailure() {
    setCoarseTimer(FAILURE_TIMEOUT_MS, () => this.#break(this.#fault!))
  }

  /** Extends the reservation as the response outgrows it; what has come is delivered and billed in any case. */
  async #extend() {
    if (this.end.reason) return
    const { billable } = this.end
    const { reservation } = billable
    const missing = this.#output - reservation.output
    const tokens = Math.ceil(missing / OUTPUT_STEP) * OUTPUT_STEP
    try {
      await reservation.extend(outputQuota(tokens, this.response.call.prompt_tokens, billable), tokens)
    } catch (error) {
      // A failing database is no failure of the channel.
      void this.end.finish(isShortage(error) ? 'exhausted' : 'stopped', error as Error)
    }
  }

  /** The last bytes, once the bill is durable. */
  async #close(): Promise<Uint8Array | undefined> {
    this.#closed = true
    const { end, response } = this
    const { facts, call } = response
    let error = end.error
    try {
      const settled = await end.finish('finished')
      if (end.reason === 'abandoned') return undefined
      if (end.reason === 'finished') {
        const last = Buffer.concat([Buffer.from(facts.end(settled, call.facts.wants_usage)), toBytes(this.#held)])
        return withCost(last, costOf(end.billable, settled.quota))
      }
    } catch (failure) {
      error = failure as Error
    }
    const unchanged = error instanceof Fault && this.#failure.bytes(error, facts, response.channel)
    if (unchanged) return unchanged
    const { api_error } = explain(error, call)
    return Buffer.from(facts.fail?.(api_error) ?? failureEvents(api_error, call))
  }
}

const brokeOff = (status: number, code: 'relay.upstream_broke_off' | 'relay.upstream_silent') =>
  new Fault({ status, code, retry: false })
