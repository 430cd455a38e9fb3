/** A running realtime session: events pass both ways, turns are metered and reserved for, and the end settles once. */
import type { ServerWebSocket } from 'bun'
import { quotaOf } from '../../billing/bill.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { type EndReason, EVENT_MAX_BYTES, OUTPUT_STEP } from '../../contracts/relay.ts'
import { openAiRealtime, SessionMeter } from '../../formats/openai-realtime/index.ts'
import { parseObject } from '../../pure/json.ts'
import { outputQuota } from '../charging/reserve.ts'
import type { CallEnd } from '../delivery/call-end.ts'
import { explain } from '../errors/explain.ts'
import { Fault } from '../errors/fault.ts'
import { checkSensitiveWords } from '../request/sensitive-words.ts'
import type { RealtimeLink } from './connect.ts'
import { hasError, withoutSecrets } from './redact-event.ts'

const [NORMAL, GOING_AWAY, POLICY, TRY_LATER] = [1000, 1001, 1008, 1013]
/** Output tokens of a running turn after which its cost is checked again. */
const CHECK_EVERY_TOKENS = 200

/** The data of the client's WebSocket; the server calls `open`, `message` and `close`. */
export class RealtimeSession {
  #client: ServerWebSocket<RealtimeSession> | undefined
  #checked_tokens = 0
  #extending = false
  /** Resolves when all events of the client have been checked and passed on. */
  #passed: Promise<void> = Promise.resolve()
  readonly #meter: SessionMeter

  constructor(
    private readonly end: CallEnd,
    private readonly link: RealtimeLink,
  ) {
    this.#meter = new SessionMeter(end.billable.price.tiers.map(({ from }) => from))
  }

  open(client: ServerWebSocket<RealtimeSession>) {
    this.#client = client
    const { socket } = this.link
    this.end.begin({
      response: { ...this.link, facts: { text: '' } },
      meter: () => this.#meter.read(),
      hangUp: () => {
        socket.onmessage = null
        socket.close()
      },
    })
    this.end.afterwards(() => this.#closeClient())
    socket.onmessage = ({ data }) => this.#onUpstreamEvent(String(data))
    socket.onclose = ({ code }) => this.#onUpstreamClose(code)
    socket.onerror = () => this.#onUpstreamClose(POLICY)
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
    if (event) await checkSensitiveWords({ body: event, request_id: call.request_id }, caller)
    if (this.end.reason) return
    if (event) this.#meter.readClientEvent(event)
    const { socket } = this.link
    socket.send(text)
    if (socket.bufferedAmount > EVENT_MAX_BYTES) this.#break()
  }

  /** Answers a refused event with an error; the session goes on. */
  #refuse(error: unknown) {
    const { api_error } = explain(error, this.end.billable.call)
    this.#client?.send(openAiRealtime.writeErrorFrame(api_error))
  }

  /** The client closed: `finished`, or `abandoned` while a response was running. */
  close() {
    this.#client = undefined
    void this.end.finish(this.#meter.pending ? 'abandoned' : 'finished')
  }

  #onUpstreamEvent(text: string) {
    const event = parseObject(text)
    const turnEnded = event !== undefined && this.#meter.readUpstreamEvent(event)
    // 0: dropped, since the client has disconnected or does not read.
    const shown = event && hasError(event) ? withoutSecrets(event, this.link.channel) : text
    if (this.#client?.send(shown) === 0) return void this.end.finish('abandoned')
    if (!turnEnded && this.#meter.pending - this.#checked_tokens < CHECK_EVERY_TOKENS) return
    this.#checked_tokens = this.#meter.pending
    // A failing database is no failure of the channel.
    this.#extend().catch(error => void this.end.finish('stopped', error))
  }

  /** Reserves what was used and one step more; what has come is delivered and billed in any case. */
  async #extend() {
    if (this.#extending) return
    this.#extending = true
    // More may have been used while the reservation was extended.
    for (let missing = this.#missing(); missing > 0 && !this.end.reason; missing = this.#missing()) {
      const extended = await this.end.billable.reservation.extend(missing)
      if (!extended) void this.end.finish('exhausted', new Refusal('relay.insufficient_user_quota', {}, 403))
    }
    this.#extending = false
  }

  #missing(): number {
    const { price, reservation } = this.end.billable
    const { usage } = this.#meter.read()
    const ahead = price.mode === 'call' ? 0 : outputQuota(OUTPUT_STEP, this.#meter.prompt, price)
    return quotaOf(usage, price) + ahead - reservation.quota
  }

  #onUpstreamClose(code: number) {
    if (code === NORMAL || code === GOING_AWAY) void this.end.finish('finished')
    else this.#break()
  }

  #break() {
    void this.end.finish('broken', new Fault({ status: 502, code: 'relay.upstream_broke_off', retry: false }))
  }

  /** After the bill: an early end is explained in an event, as the upstream would send it. */
  #closeClient() {
    const { error, reason, billable } = this.end
    if (error) this.#client?.send(openAiRealtime.writeErrorFrame(explain(error, billable.call).api_error))
    this.#client?.close(error ? closeCodes[reason!] : NORMAL)
  }
}

const closeCodes: Record<EndReason, number> = {
  finished: NORMAL,
  abandoned: NORMAL,
  exhausted: POLICY,
  broken: TRY_LATER,
  stopped: GOING_AWAY,
}
