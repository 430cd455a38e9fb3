/** Delivers a stream: events pass as they come and are read along; the last ones wait for the bill. */

import { EVENT_MAX_BYTES, OUTPUT_STEP } from '../../contracts/relay.ts'
import { isShortage } from '../../domain/wallet/index.ts'
import type { EventKind } from '../../formats/format.ts'
import { setCoarseTimer } from '../../process/coarse-timer.ts'
import type { BodySource } from '../../stream/body-stream.ts'
import { asBuffer, dataIn, dataOf, eventsIn, PING, toBytes } from '../../stream/sse.ts'
import { costOf, withCost } from '../charging/cost.ts'
import { outputQuota } from '../charging/estimate.ts'
import { meter, quotaSoFar } from '../charging/meter.ts'
import type { UnseenOutput } from '../charging/unseen-output.ts'
import { unusableResponse } from '../errors/classify-error.ts'
import { explain } from '../errors/explain.ts'
import { ClientDisconnected, Fault } from '../errors/fault.ts'
import type { FirstEvents, StreamedResponse } from '../upstream/upstream-response.ts'
import type { CallEnd } from './call-end.ts'
import { drain } from './drain.ts'
import { failureEvents } from './failure-events.ts'
import { keepAliveInterval_ms, settlesWithin } from './keep-alive.ts'
import { FAILURE_TIMEOUT_MS, NativeFailure } from './native-failure.ts'
import { endBy, endByFailure, endOfBytes, type StreamEnd, type Verdict, verdictOf } from './verdict.ts'

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
  /** The chunk that is waited for. */
  #coming: Promise<Uint8Array<ArrayBuffer> | undefined> | undefined
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
    response.call.departure.whenLeft(this.#continueAfterLeave)
  }

  async next(): Promise<Uint8Array | undefined> {
    if (this.#is_reading) return undefined
    this.#is_reading = true
    const bytes = await this.#deliver()
    this.#is_reading = false
    return bytes
  }

  async #deliver(): Promise<Uint8Array | undefined> {
    const { departure } = this.response.call
    while (!this.end.reason) {
      const { first_events } = this.response
      const bytes = first_events ? this.#readFirst(first_events) : await this.#readChunk()
      this.response.thinking?.observe(this.response.facts)
      if (this.#output > this.end.billable.reservation.output) await this.#extend()
      if (bytes?.byteLength && !departure.hasLeft) return bytes
    }
    return this.#closed ? undefined : this.#close()
  }

  cancelled = () => this.response.call.departure.begin()

  /** The client has left: the upstream is read on, without a pull of the client. */
  #continueAfterLeave = () => {
    if (this.response.abort.signal.aborted) this.#finish({ reason: 'abandoned' })
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

  #readFirst({ events, from, read, kind }: FirstEvents): Uint8Array {
    this.response.first_events = undefined
    const unread = events.subarray(read)
    const { facts } = this.response
    if (facts.takeRewritten) {
      this.#apply(verdictOf(kind, this.response))
      return this.end.reason ? utf8.encode(facts.takeRewritten()) : this.#rewriteEvents(unread)
    }
    const last = toBytes(this.#deliverEvent(kind, events.toString('latin1', from, read)))
    const before = events.subarray(0, from)
    if (this.end.reason) return Buffer.concat([before, last])
    const passed = this.#readEvents(unread)
    return last.length === read - from && passed === unread ? events : Buffer.concat([before, last, passed])
  }

  /** Reads the next bytes of the upstream. @returns what passes to the client; a comment after a pause */
  async #readChunk(): Promise<Uint8Array | undefined> {
    let chunk: Uint8Array<ArrayBuffer> | undefined
    try {
      this.#coming ??= this.response.source.next()
      if (this.#keep_alive_ms && !(await settlesWithin(this.#coming, this.#keep_alive_ms))) return toBytes(PING)
      chunk = await this.#coming
      this.#coming = undefined
      if (!chunk) return this.#readTail()
      this.response.call.departure.count(chunk.byteLength)
    } catch (error) {
      this.#finish(endBy(error, this.response))
      return undefined
    }
    const { cutter } = this.response
    const events = cutter.push(asBuffer(chunk))
    if (cutter.pending > EVENT_MAX_BYTES) this.#finish({ reason: 'broken', error: unusableResponse() })
    return events && this.#readEvents(events)
  }

  /** Reads an event without its blank line. */
  #readTail(): Uint8Array {
    const { rest } = this.response.cutter
    const passed = rest.trim() ? this.#readEvents(toBytes(`${rest}\n\n`)) : none
    this.#finish(endOfBytes(this.response))
    return passed
  }

  /** Reads whole events. @returns what passes to the client: the same bytes when all do */
  #readEvents(events: Buffer): Uint8Array {
    const { facts } = this.response
    if (facts.takeRewritten) return this.#rewriteEvents(events)
    const passed: Uint8Array[] = []
    let unchanged_from = 0
    let at = facts.skim?.(events) ?? 0
    let skims = SKIMS_MAX
    while (at < events.length && !this.end.reason) {
      for (const event of eventsIn(events.subarray(at))) {
        const written = this.#readEvent(event)
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

  /** Events in another format than the client's: the reader writes what passes, and none is held. */
  #rewriteEvents(events: Buffer): Uint8Array {
    const { facts } = this.response
    for (const data of dataIn(events)) {
      this.#apply(verdictOf(facts.read(data), this.response))
      if (this.end.reason) break
    }
    return utf8.encode(facts.takeRewritten!())
  }

  /** @returns what passes to the client, with the cost beside the usage */
  #readEvent(event: string): string {
    const { facts } = this.response
    const data = dataOf(event)
    if (data === undefined) return event
    const { usage_report } = facts
    const passed = this.#deliverEvent(facts.read(data), event)
    return facts.usage_report !== usage_report && facts.finished && passed === event ? this.#withCost(event) : passed
  }

  #withCost(event: string): string {
    const { billable } = this.end
    const cost = costOf(billable, quotaSoFar(billable, this.response))
    return withCost(toBytes(event), cost).toString('latin1')
  }

  /** An event that has been read, in the client's format. @returns what passes to the client */
  #deliverEvent(kind: EventKind, event: string): string {
    if (kind === 'failing' || kind === 'failed') this.#failure.add(kind, event)
    return this.#apply(verdictOf(kind, this.response, this.#failure.begun), event)
  }

  /** Carries out a verdict. @returns what passes to the client: the event that was held, and this one */
  #apply(verdict: Verdict, event = ''): string {
    const held = this.#held
    this.#held = ''
    if (verdict === 'pass') return held + event
    if (verdict === 'drop') return held
    if (verdict === 'wait') {
      setCoarseTimer(FAILURE_TIMEOUT_MS, () => this.#finish(endByFailure(this.response)))
      return held
    }
    this.#held = event
    if (verdict !== 'hold') this.#finish(verdict)
    return held
  }

  #finish({ reason, error }: StreamEnd) {
    void this.end.finish(reason, error)
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
      this.#finish({ reason: isShortage(error) ? 'exhausted' : 'stopped', error: error as Error })
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
