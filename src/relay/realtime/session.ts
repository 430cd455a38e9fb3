/** A session on its way: events pass both ways, turns are metered and afforded, and the end settles all of it once. */
import type { ServerWebSocket } from 'bun'
import { quotaOf } from '../../billing/bill.ts'
import { usageOf } from '../../billing/usage.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { type EndReason, EVENT_MAX_BYTES, OUTPUT_STEP, wasServed } from '../../contracts/relay.ts'
import { extend } from '../../domain/wallet/index.ts'
import { openAiRealtime, SessionMeter } from '../../formats/openai-realtime/index.ts'
import { log, reason } from '../../process/log.ts'
import { deadline } from '../../process/shutdown.ts'
import type { Json } from '../../pure/json.ts'
import type { BillableCall } from '../call.ts'
import { settleMetered } from '../charging/settle.ts'
import { troubleOf } from '../errors/explain.ts'
import { Fault } from '../errors/fault.ts'
import type { Leave } from '../request/admit.ts'
import { checkSensitiveWords } from '../request/sensitive-words.ts'
import type { RealtimeLink } from './connect.ts'

const [NORMAL, GOING_AWAY, POLICY, TRY_LATER] = [1000, 1001, 1008, 1013]
/** Output tokens between two looks at what a running turn costs. */
const LOOK_EVERY = 200

/** What the server's socket is given to tell what happens on it. */
export class Session {
  #caller: ServerWebSocket<Session> | undefined
  #ending: EndReason | undefined
  #seen = 0
  #affording = false
  /** Done when all that the caller has said has been looked at, and passed on. */
  #heard: Promise<void> = Promise.resolve()
  readonly #meter = new SessionMeter()
  readonly #stop = () => this.#end('stopped', new Refusal('relay.stopping', {}, 503))

  constructor(
    private readonly order: BillableCall,
    private readonly line: RealtimeLink,
    private readonly leave: Leave,
  ) {}

  /** There is a session only from now on. */
  open(caller: ServerWebSocket<Session>) {
    this.#caller = caller
    const { socket } = this.line
    deadline.addEventListener('abort', this.#stop)
    socket.onmessage = ({ data }) => this.#answer(String(data))
    socket.onclose = ({ code }) => this.#hungUp(code)
    socket.onerror = () => this.#hungUp(POLICY)
  }

  /** The caller has said something: one thing after the other. */
  message(_: ServerWebSocket<Session>, message: string | Buffer) {
    const text = String(message)
    this.#heard = this.#heard.then(() => this.#pass(text)).catch(error => this.#refuse(error))
  }

  async #pass(text: string) {
    if (this.#ending) return
    const { call, caller } = this.order
    const event = eventIn(text)
    if (event) await checkSensitiveWords({ body: event, request_id: call.request_id }, caller)
    if (this.#ending) return
    if (event) this.#meter.readClientEvent(event)
    const { socket } = this.line
    socket.send(text)
    if (socket.bufferedAmount > EVENT_MAX_BYTES) this.#end('broken', brokeOff())
  }

  /** What may not be said goes no further; the session does. */
  #refuse(error: unknown) {
    const { trouble } = troubleOf(error, this.order.call)
    this.#caller?.send(openAiRealtime.writeErrorFrame(trouble))
  }

  /** The caller has left, which is how a session ends, unless somebody was still being answered. */
  close() {
    this.#caller = undefined
    this.#end(this.#meter.pending ? 'abandoned' : 'finished')
  }

  #answer(text: string) {
    const event = eventIn(text)
    const turnEnded = event !== undefined && this.#meter.readUpstreamEvent(event)
    // Nothing was taken: the caller has left, or has taken nothing for long.
    if (this.#caller?.send(text) === 0) return this.#end('abandoned')
    if (!turnEnded && this.#meter.pending - this.#seen < LOOK_EVERY) return
    this.#seen = this.#meter.pending
    // Where the books cannot be asked, that is not the channel's fault.
    this.#afford().catch(error => this.#end('stopped', error))
  }

  /** Holds what was used and a step more; what has come is delivered, and billed, in any case. */
  async #afford() {
    if (this.#affording) return
    this.#affording = true
    // More may have been used by the time that more is held.
    for (let missing = this.#missing(); missing > 0 && !this.#ending; missing = this.#missing()) {
      const enough = await extend(this.order.reservation, missing)
      if (!enough) this.#end('exhausted', new Refusal('relay.insufficient_user_quota', {}, 403))
    }
    this.#affording = false
  }

  #missing(): number {
    const { price, reservation } = this.order
    const used = quotaOf(this.#meter.read().usage, price)
    const ahead = price.mode === 'call' ? 0 : quotaOf(usageOf({ output: OUTPUT_STEP }), price)
    return used + ahead - reservation.quota
  }

  /** The upstream has: an end like any other, unless it says otherwise. */
  #hungUp(code: number) {
    if (code === NORMAL || code === GOING_AWAY) this.#end('finished')
    else this.#end('broken', brokeOff())
  }

  /** The first ending counts. */
  #end(ending: EndReason, trouble?: Error) {
    if (this.#ending) return
    this.#ending = ending
    if (ending === 'broken') this.order.call.attempts.at(-1)!.reason = trouble?.message ?? ''
    deadline.removeEventListener('abort', this.#stop)
    this.line.socket.onmessage = null
    this.line.socket.close()
    this.#settle()
      .catch(error => log.error('session not settled', { reason: reason(error) }))
      .finally(() => this.#sayGoodbye(trouble))
  }

  async #settle() {
    this.leave(wasServed(this.#ending!))
    const facts = { usage_report: undefined, output_estimate: 0, text: '' }
    await settleMetered(this.order, { ...this.line, facts }, this.#meter.read(), this.#ending!)
  }

  /** After the bill: why it ends, where that is not plain, in an event as the upstream would send it. */
  #sayGoodbye(trouble: Error | undefined) {
    if (trouble) {
      const { call } = this.order
      this.#caller?.send(openAiRealtime.writeErrorFrame(troubleOf(trouble, call).trouble))
    }
    this.#caller?.close(trouble ? closingFor[this.#ending!] : NORMAL)
  }
}

const closingFor: Record<EndReason, number> = {
  finished: NORMAL,
  abandoned: NORMAL,
  exhausted: POLICY,
  broken: TRY_LATER,
  stopped: GOING_AWAY,
}

const brokeOff = () => new Fault({ status: 502, code: 'relay.upstream_broke_off', retry: false })

function eventIn(text: string | Buffer): Json | undefined {
  try {
    const event: unknown = JSON.parse(String(text))
    return typeof event === 'object' && event !== null ? (event as Json) : undefined
  } catch {
    return undefined
  }
}
