/** The spans of one call, which are sent when it has ended: server, admit, reserve, model, a request for each attempt, settle. */
import { stopwatch } from '../../process/clock.ts'
import { onReset } from '../../process/stores.ts'
import { first, repeated, SpanKind, type TraceSpan } from '../../pure/otlp.ts'
import { type TraceContext, traceHeaders } from '../../pure/trace-context.ts'
import { write } from './trace-names.ts'

const SPAN_ID_BYTES = 8
const SERVER_ERRORS = 500

export interface TraceStart extends Pick<TraceContext, 'trace_id' | 'state'> {
  /** Span of the client. */
  parent_id: string | undefined
  start_ms: number
  name: string
  /** As JSON, comma-separated, as those of every span. */
  attributes: string
}

type Method = 'POST' | 'GET'

export class CallTrace {
  readonly trace_id: string
  readonly state: string | undefined
  /** Since 1970; moments of spans are counted from it. */
  readonly start_ms: number
  readonly #elapsed = stopwatch()
  readonly #server: TraceSpan
  readonly #spans: TraceSpan[] = []
  #step: TraceSpan | undefined
  #model: TraceSpan | undefined
  #provider: string | undefined
  #attempt: TraceSpan | undefined
  #attempts = 0
  #method: Method = 'POST'
  /** Attributes of the attempt that runs. */
  #address = ''
  #error_type: string | undefined
  /** The call has a reservation: its end is reported, and may come after its response. */
  #isReported: boolean | undefined
  #isResponded = false

  constructor(
    { trace_id, state, parent_id, start_ms, name, attributes }: TraceStart,
    private readonly send: (trace: CallTrace, spans: readonly TraceSpan[]) => void,
  ) {
    this.trace_id = trace_id
    this.state = state
    this.start_ms = start_ms
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
  asking(name: string, attributes: string) {
    this.#nameProvider()
    this.#model = this.#end(this.#model)
    this.#model = this.#begin(name, SpanKind.client, this.#server.span_id, attributes)
  }

  attempting(channel: number, provider: string) {
    this.#provider = provider
    const attributes = `${write.channel(channel)}${write.resends(this.#attempts++ || undefined)}`
    this.#attempt = this.#begin('', SpanKind.client, (this.#model ?? this.#server).span_id, attributes)
    this.#method = 'POST'
    this.#address = ''
  }

  /** @param url of the attempt that runs. Queries may hold keys */
  addressed(method: Method, url: string) {
    this.#method = method
    this.#address = writeAddress(withoutQuery(url))
  }

  /** @param status undefined where no response has come */
  attemptFailed(error_type: string, status: number | undefined) {
    this.#endAttempt(status, error_type)
  }

  /** The upstream's part is over. @param error_type undefined for a response that is whole */
  settling(error_type?: string) {
    this.#endAttempt(this.#method === 'GET' ? 101 : 200, error_type)
    if (this.#model && error_type) fail(this.#model, error_type)
    if (this.#model) this.#model.end_ms = this.#elapsed()
    this.#step = this.#begin('settle', SpanKind.internal, this.#server.span_id)
  }

  /** What follows of the model's answer, and of the whole call. The bill is durable, or nothing was billed. */
  reported(ofModel: string, ofCall: string, error_type: string | undefined) {
    if (this.#model) this.#model.attributes += ofModel
    this.#server.attributes += ofCall
    if (error_type) this.#error_type = error_type
    this.#isReported = true
    if (this.#isResponded) this.#sendAll()
  }

  /** The response has begun. @param error_type of a response that is a refusal: nothing follows it */
  responded(status: number, error_type?: string) {
    if (this.#isResponded) return
    this.#isResponded = true
    this.#server.attributes += write.status(status)
    this.#error_type ??= error_type
    this.#server.failed = status >= SERVER_ERRORS
    if (error_type || this.#isReported !== false) this.#sendAll()
  }

  /** Headers by which an upstream joins the trace, below the attempt that runs. */
  headers(): Record<string, string> {
    const { trace_id, state } = this
    return traceHeaders({ trace_id, state, span_id: (this.#attempt ?? this.#server).span_id, sampled: true })
  }

  #sendAll() {
    const error_type = this.#error_type
    // What a refusal has interrupted ends with the call.
    this.#endAttempt(undefined, error_type)
    if (this.#step && error_type) fail(this.#step, error_type)
    this.#end(this.#step)
    if (this.#model) {
      if (!this.#model.end_ms && error_type) fail(this.#model, error_type)
      this.#nameProvider()
      this.#end(this.#model, this.#model.end_ms || undefined)
    }
    this.#server.attributes += write.error(error_type)
    this.#end(this.#server)
    this.send(this, this.#spans)
  }

  #endAttempt(status: number | undefined, error_type: string | undefined) {
    const attempt = this.#attempt
    if (!attempt) return
    const method = this.#method
    attempt.name = method
    attempt.attributes = `${write.method(method)}${attempt.attributes}${this.#address}${write.status(status)}`
    if (error_type) fail(attempt, error_type)
    this.#attempt = this.#end(attempt)
  }

  /** The model span has the provider of its last attempt. */
  #nameProvider() {
    if (this.#model) this.#model.attributes += write.provider(this.#provider)
  }

  #begin(name: string, kind: TraceSpan['kind'], parent_id: string | undefined, attributes = ''): TraceSpan {
    const start_ms = this.#elapsed()
    return { name, kind, span_id: randomHex(SPAN_ID_BYTES), parent_id, start_ms, end_ms: 0, attributes, failed: false }
  }

  #end(span: TraceSpan | undefined, end_ms = this.#elapsed()): undefined {
    if (!span) return
    span.end_ms = end_ms
    this.#spans.push(span)
  }
}

const firstError = first(write.error)

/** Once for each span. */
function fail(span: TraceSpan, error_type: string) {
  span.failed = true
  span.attributes = span.attributes ? `${span.attributes}${write.error(error_type)}` : firstError(error_type)
}

/** @returns attributes that follow others; empty for what is no URL */
const writeAddress = repeated((address: string | undefined) => {
  const url = address === undefined ? null : URL.parse(address)
  if (!url) return ''
  const port = Number(url.port) || (/^(https|wss):$/.test(url.protocol) ? 443 : 80)
  const shown = `${url.protocol}//${url.host}${url.pathname}`
  return `${write.url(shown)}${write.server(url.hostname)}${write.port(port)}`
})

const withoutQuery = (url: string) => (url.includes('?') ? url.slice(0, url.indexOf('?')) : url)

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
