/** The spans of one call, which are sent when it has ended: server, admit, reserve, model, a request for each attempt, settle. */
import { stopwatch } from '../../process/clock.ts'
import { onReset } from '../../process/stores.ts'
import { type Attributes, SpanKind, type TraceSpan } from '../../pure/otlp.ts'
import { type TraceContext, traceHeaders } from '../../pure/trace-context.ts'
import { names } from './trace-names.ts'

const SPAN_ID_BYTES = 8
const SERVER_ERRORS = 500

export interface TraceStart extends Pick<TraceContext, 'trace_id' | 'state'> {
  /** TraceSpan of the client. */
  parent_id: string | undefined
  start_ms: number
  name: string
  attributes: Attributes
}

export class CallTrace {
  readonly trace_id: string
  readonly state: string | undefined
  readonly #elapsed = stopwatch()
  readonly #start_ms: number
  readonly #server: TraceSpan
  readonly #spans: TraceSpan[] = []
  #step: TraceSpan | undefined
  #model: TraceSpan | undefined
  #attempt: TraceSpan | undefined
  #attempts = 0
  /** The call has a reservation: its end is reported, and may come after its response. */
  #isReported: boolean | undefined
  #isResponded = false

  constructor(
    { trace_id, state, parent_id, start_ms, name, attributes }: TraceStart,
    private readonly send: (trace: CallTrace, spans: readonly TraceSpan[]) => void,
  ) {
    this.trace_id = trace_id
    this.state = state
    this.#start_ms = start_ms
    this.#server = this.#begin(name, SpanKind.server, parent_id, attributes)
    this.#step = this.#begin('admit', SpanKind.internal, this.#server.span_id)
  }

  /** The call is admitted, and has a price. */
  reserving() {
    this.#end(this.#step)
    this.#step = this.#begin('reserve', SpanKind.internal, this.#server.span_id)
  }

  reserved() {
    this.#step = this.#end(this.#step)
    this.#isReported = false
  }

  /** The call goes to channels, one after the other. */
  asking(name: string, attributes: Attributes) {
    this.#model = this.#end(this.#model)
    this.#model = this.#begin(name, SpanKind.client, this.#server.span_id, attributes)
  }

  attempting(channel: number, provider: string) {
    if (this.#model) this.#model.attributes[names.provider] = provider
    this.#attempt = this.#begin('POST', SpanKind.client, (this.#model ?? this.#server).span_id, {
      [names.method]: 'POST',
      [names.channel]: channel,
      [names.resends]: this.#attempts++ || undefined,
    })
  }

  /** @param url of the attempt that runs. Queries may hold keys */
  addressed(method: 'POST' | 'GET', url: string) {
    const read = URL.parse(url)
    if (!this.#attempt || !read) return
    const isSecure = /^(https|wss):$/.test(read.protocol)
    this.#attempt.name = method
    Object.assign(this.#attempt.attributes, {
      [names.method]: method,
      [names.url]: `${read.protocol}//${read.host}${read.pathname}`,
      [names.server]: read.hostname,
      [names.port]: Number(read.port) || (isSecure ? 443 : 80),
    })
  }

  /** @param status undefined where no response has come */
  attemptFailed(error_type: string, status: number | undefined) {
    if (!this.#attempt) return
    this.#attempt.attributes[names.status] = status
    this.#fail(this.#attempt, error_type)
    this.#attempt = this.#end(this.#attempt)
  }

  /** The upstream's part is over. @param error_type undefined for a response that is whole */
  settling(error_type?: string) {
    if (this.#attempt) {
      this.#attempt.attributes[names.status] = this.#attempt.name === 'GET' ? 101 : 200
      if (error_type) this.#fail(this.#attempt, error_type)
      this.#attempt = this.#end(this.#attempt)
    }
    if (this.#model && error_type) this.#fail(this.#model, error_type)
    if (this.#model) this.#model.end_ms = this.#now()
    this.#step = this.#begin('settle', SpanKind.internal, this.#server.span_id)
  }

  /** What is known of the model's answer, and of the whole call. The bill is durable, or nothing was billed. */
  reported(ofModel: Attributes, ofCall: Attributes, error_type: string | undefined) {
    if (this.#model) Object.assign(this.#model.attributes, ofModel)
    Object.assign(this.#server.attributes, ofCall)
    if (error_type) this.#server.attributes[names.error] = error_type
    this.#isReported = true
    if (this.#isResponded) this.#sendAll()
  }

  /** The response has begun. @param error_type of a response that is a refusal: nothing follows it */
  responded(status: number, error_type?: string) {
    if (this.#isResponded) return
    this.#isResponded = true
    const { attributes } = this.#server
    attributes[names.status] = status
    if (error_type) attributes[names.error] ??= error_type
    this.#server.failed = status >= SERVER_ERRORS
    if (error_type || this.#isReported !== false) this.#sendAll()
  }

  /** Headers by which an upstream joins the trace, below the attempt that runs. */
  headers(): Record<string, string> {
    const { trace_id, state } = this
    return traceHeaders({ trace_id, state, span_id: (this.#attempt ?? this.#server).span_id, sampled: true })
  }

  #sendAll() {
    const error_type = this.#server.attributes[names.error] as string | undefined
    // What a refusal has interrupted ends with the call.
    for (const open of [this.#attempt, this.#step, this.#model?.end_ms ? undefined : this.#model]) {
      if (!open) continue
      if (error_type) this.#fail(open, error_type)
      this.#end(open)
    }
    if (this.#model && !this.#spans.includes(this.#model)) this.#spans.push(this.#model)
    this.#end(this.#server)
    this.send(this, this.#spans)
  }

  #fail(span: TraceSpan, error_type: string) {
    span.failed = true
    span.attributes[names.error] = error_type
  }

  #begin(name: string, kind: TraceSpan['kind'], parent_id: string | undefined, attributes: Attributes = {}): TraceSpan {
    return { name, kind, span_id: randomHex(SPAN_ID_BYTES), parent_id, ...this.#open(), attributes, failed: false }
  }

  #open = () => ({ start_ms: this.#now(), end_ms: 0 })

  #end(span: TraceSpan | undefined): undefined {
    if (!span) return
    span.end_ms = this.#now()
    this.#spans.push(span)
  }

  #now() {
    return this.#start_ms + this.#elapsed()
  }
}

const POOL_BYTES = 4096
const DIGITS_PER_BYTE = 2
/** Digits that are not used yet: asking the system for each id would take longer than all else of a span. */
let pool = ''
let used = 0
onReset('trace-ids', () => {
  pool = ''
  used = 0
})

export function randomHex(bytes: number): string {
  const digits = bytes * DIGITS_PER_BYTE
  if (used + digits > pool.length) {
    pool = crypto.getRandomValues(Buffer.allocUnsafe(POOL_BYTES)).toString('hex')
    used = 0
  }
  used += digits
  return pool.slice(used - digits, used)
}
