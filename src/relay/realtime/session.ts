/** A running realtime session: events pass both ways, turns are reserved for and metered, and the end settles once. */
import type { ServerWebSocket } from 'bun'
import { quotaOf } from '../../billing/bill.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { type EndReason, EVENT_MAX_BYTES, OUTPUT_STEP } from '../../contracts/relay.ts'
import { isShortage } from '../../domain/wallet/index.ts'
import type { MeteredUsage } from '../../formats/format.ts'
import { isObject } from '../../formats/json/checks.ts'
import { openAiRealtime, SessionMeter, type Turn } from '../../formats/openai-realtime/index.ts'
import { parseObject } from '../../pure/json.ts'
import { forgetReader, type WrittenReader, watchReader } from '../../stream/stalled-readers.ts'
import { outputQuota } from '../charging/estimate.ts'
import type { CallEnd } from '../delivery/call-end.ts'
import { explain } from '../errors/explain.ts'
import { Fault } from '../errors/fault.ts'
import { checkSensitiveWords } from '../request/sensitive-words.ts'
import type { RealtimeLink } from './connect.ts'
import { EventIds } from './event-ids.ts'
import { LastReport } from './last-report.ts'
import { hasError, withoutSecrets } from './redact-event.ts'
import { checkSessionFields } from './session-fields.ts'

/** What `send` returns when the socket does not take all of a message. */
const WAITS = -1
const [NORMAL, GOING_AWAY, POLICY, TRY_LATER] = [1000, 1001, 1008, 1013]
/** Output tokens of the running turns after which their cost is checked again. */
const CHECK_EVERY_TOKENS = 200

/** The data of the client's WebSocket; the server calls `open`, `message`, `drain` and `close`. */
export class RealtimeSession implements WrittenReader {
  waited_ticks = -1
  #client: ServerWebSocket<RealtimeSession> | undefined
  #checked_tokens = 0
  /** Resolves when the reservation covers what was used before. */
  #extended: Promise<void> = Promise.resolve()
  /** Resolves when all events of the client have been checked and passed on. */
  #passed: Promise<void> = Promise.resolve()
  /** Set while the upstream is read on after an early end. */
  #last_report: LastReport | undefined
  readonly #meter: SessionMeter
  readonly #ids = new EventIds()

  constructor(
    private readonly end: CallEnd,
    private readonly link: RealtimeLink,
  ) {
    const { price, call } = end.billable
    const edges = price.tiers.map(({ from }) => from)
    this.#meter = new SessionMeter(edges, call.facts.model)
  }

  open(client: ServerWebSocket<RealtimeSession>) {
    this.#client = client
    watchReader(this)
    const { socket } = this.link
    socket.onmessage = ({ data }) => this.#onUpstreamEvent(String(data))
    socket.onclose = ({ code }) => this.#onUpstreamClose(code)
    socket.onerror = () => this.#onUpstreamClose(POLICY)
    this.end.afterwards(() => this.#closeClient())
    this.end.begin({
      response: { ...this.link, facts: { text: '' } },
      meter: reason => this.#lastUsage(reason),
      hangUp: () => (this.#last_report ? this.#closeClient() : this.#hangUp()),
    })
  }

  /** Passes the client's events on in order. */
  message(_: ServerWebSocket<RealtimeSession>, message: string | Buffer) {
    const text = String(message)
    this.#passed = this.#passed.then(() => this.#pass(text)).catch(error => this.#refuse(error))
  }

  async #pass(text: string) {
    if (this.end.reason) return
    const { call, caller } = this.end.billable
    const event = parseObject(text)
    if (event) checkSessionFields(event, this.link)
    if (event) await checkSensitiveWords({ body: event, request_id: call.request_id }, caller)
    const isRequest = event?.type === 'response.create'
    if (isRequest) this.#ids.replace(event)
    const turn = event && this.#meter.requestedTurn(event)
    // What the balance cannot pay is not asked for.
    if (turn) await this.#extend(turn)
    if (this.end.reason) return
    if (event) this.#meter.readClientEvent(event)
    const { socket } = this.link
    socket.send(isRequest ? JSON.stringify(event) : text)
    if (socket.bufferedAmount > EVENT_MAX_BYTES) this.#break()
  }

  /** Answers a refused event with an error; the session goes on. */
  #refuse(error: unknown) {
    const { api_error } = explain(error, this.end.billable.call)
    this.#client?.send(openAiRealtime.writeErrorFrame(api_error))
  }

  /** The client has taken all that waited for it. */
  drain() {
    this.waited_ticks = -1
  }

  get user_id(): number {
    return this.end.billable.caller.user.id
  }

  get waiting_bytes(): number {
    return this.#client?.getBufferedAmount() ?? 0
  }

  cutOff() {
    this.#client?.terminate()
  }

  /** The client closed: `finished`, or `abandoned` while a response was running. */
  close() {
    this.#client = undefined
    forgetReader(this)
    void this.end.finish(this.#meter.isRunning ? 'abandoned' : 'finished')
  }

  #onUpstreamEvent(text: string) {
    const event = parseObject(text)
    const isCostlier = event !== undefined && this.#meter.readUpstreamEvent(event)
    if (!this.#meter.isRunning) this.#last_report?.came()
    if (isObject(event?.error)) this.#ids.restore(event.error)
    const shown = event && hasError(event) ? withoutSecrets(event, this.link.channel) : text
    const sent = this.#client?.send(shown)
    // Dropped, since the client has disconnected or does not read.
    if (sent === 0) return void this.end.finish('abandoned')
    if (sent === WAITS && this.waited_ticks < 0) this.waited_ticks = 0
    if (!isCostlier && this.#meter.pending - this.#checked_tokens < CHECK_EVERY_TOKENS) return
    this.#checked_tokens = this.#meter.pending
    void this.#extend()
  }

  /** Reserves for a turn, what was used and one step more; what has come is delivered and billed in any case. */
  #extend(turn?: Turn): Promise<void> {
    this.#extended = this.#extended.then(() => this.#reserve(turn)).catch(error => this.#cannotPay(error))
    return this.#extended
  }

  async #reserve(turn?: Turn) {
    // More may have been used while the reservation was extended.
    for (let missing = this.#missing(turn); missing > 0 && this.#isOpen; missing = this.#missing(turn)) {
      // Each extension is about a step of output, and what came before it.
      await this.end.billable.reservation.extend(missing, 0, OUTPUT_STEP)
    }
  }

  /** A failing database is no failure of the channel. */
  #cannotPay(error: Error) {
    this.#last_report?.came()
    void this.end.finish(isShortage(error) ? 'exhausted' : 'stopped', error)
  }

  /** Events of the upstream still count. */
  get #isOpen(): boolean {
    return !this.end.reason || (this.#last_report?.isAwaited ?? false)
  }

  #missing(turn = this.end.reason ? undefined : this.#meter.detectedTurn()): number {
    const { price, reservation } = this.end.billable
    const { usage } = this.#meter.read(turn)
    const isLast = price.mode === 'call' || this.end.reason
    const ahead = isLast ? 0 : outputQuota(OUTPUT_STEP, this.#meter.prompt, this.end.billable)
    return quotaOf(usage, price) + ahead - reservation.quota
  }

  #onUpstreamClose(code: number) {
    this.#last_report?.came()
    if (code === NORMAL || code === GOING_AWAY) void this.end.finish('finished')
    else this.#break()
  }

  #break() {
    void this.end.finish('broken', new Fault({ status: 502, code: 'relay.upstream_broke_off', retry: false }))
  }

  /** The upstream's report is awaited also for a turn that the client does not wait for. */
  #lastUsage(reason: EndReason): MeteredUsage | Promise<MeteredUsage> {
    const wasLeft = reason === 'abandoned' || (reason === 'stopped' && isRefusal(this.end.error))
    if (!wasLeft || !this.#meter.isRunning) return this.#meter.read()
    const report = new LastReport(this.link.channel.setting.cancel_on_leave)
    this.#last_report = report
    return report.promise.then(() => {
      this.#hangUp()
      return this.#meter.read()
    })
  }

  #hangUp() {
    const { socket } = this.link
    socket.onmessage = null
    socket.close()
  }

  /** An early end is explained in an event, as the upstream would send it. */
  #closeClient() {
    const { error, reason, billable } = this.end
    const client = this.#client
    this.#client = undefined
    if (error) client?.send(openAiRealtime.writeErrorFrame(explain(error, billable.call).api_error))
    client?.close(isRefusal(error) ? POLICY : error ? closeCodes[reason!] : NORMAL)
  }
}

const FORBIDDEN = [401, 403]
/** Whether the key or its user lost access, or the balance is used up. */
const isRefusal = (error: Error | undefined) => error instanceof Refusal && FORBIDDEN.includes(error.status)

const closeCodes: Record<EndReason, number> = {
  finished: NORMAL,
  abandoned: NORMAL,
  exhausted: POLICY,
  broken: TRY_LATER,
  stopped: GOING_AWAY,
}
