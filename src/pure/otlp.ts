/**
 * Spans as JSON of OTLP, joined by hand: ids in hexadecimal digits, whole numbers of 64 bits as text, enums as numbers.
 * https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding (read 2026-11)
 */

export const SpanKind = { internal: 1, server: 2, client: 3 } as const

export interface TraceSpan {
  /** As JSON, with its quotes. */
  name: string
  kind: (typeof SpanKind)[keyof typeof SpanKind]
  span_id: string
  /** Undefined for the first span of a trace. */
  parent_id: string | undefined
  /** Milliseconds since the trace has begun. */
  start_ms: number
  end_ms: number
  /** As JSON, comma-separated; empty without one. */
  attributes: string
  /** Shown as an error. */
  failed: boolean
}

const STATUS_ERROR = 2

/** @returns JSON, comma-separated. @param start_ms of the trace, since 1970 */
export function writeSpans(
  { trace_id, state, start_ms }: { trace_id: string; state: string | undefined; start_ms: number },
  spans: readonly TraceSpan[],
): string {
  const ids = `{"traceId":"${trace_id}",${state ? `"traceState":${JSON.stringify(state)},` : ''}"spanId":"`
  const second = Math.floor(start_ms / MS_PER_SECOND)
  const begin = { second, text: String(second), offset_ms: start_ms - second * MS_PER_SECOND }
  let written = ''
  for (const { span_id, parent_id, name, kind, start_ms, end_ms, attributes, failed } of spans) {
    const parent = parent_id ? `","parentSpanId":"${parent_id}` : ''
    const from = nanoseconds(begin, start_ms)
    const to = nanoseconds(begin, end_ms)
    const status = failed ? `],"status":{"code":${STATUS_ERROR}}}` : ']}'
    written += `${written && ','}${ids}${span_id}${parent}","name":${name},"kind":${kind},"startTimeUnixNano":"${from}","endTimeUnixNano":"${to}","attributes":[${attributes}${status}`
  }
  return written
}

const MS_PER_SECOND = 1000
const NS_PER_MS = 1_000_000
const NS_PER_SECOND = 1_000_000_000

/** Since 1970: more digits than a number holds. Most calls end in the second in which they begin, whose text is there. */
function nanoseconds({ second, text, offset_ms }: { second: number; text: string; offset_ms: number }, ms: number) {
  const ns = Math.max(0, Math.floor((offset_ms + ms) * NS_PER_MS))
  if (ns < NS_PER_SECOND) return text + nineDigits(ns)
  return String(second + Math.floor(ns / NS_PER_SECOND)) + nineDigits(ns % NS_PER_SECOND)
}

const nineDigits = (ns: number) => String(NS_PER_SECOND + ns).slice(1)

type Write<Value> = (value: Value) => string

/** Writers of an attribute as JSON: what does not change is written once. */
const begun = (key: string) => `{"key":${JSON.stringify(key)},"value":{`

export function textAttribute(key: string): Write<string> {
  const begin = `${begun(key)}"stringValue":`
  return value => `${begin}${JSON.stringify(value)}}}`
}

export function flagAttribute(key: string): Write<boolean> {
  const begin = `${begun(key)}"boolValue":`
  return value => `${begin}${value}}}`
}

/** Of a number that is counted. */
export function wholeAttribute(key: string): Write<number> {
  const begin = `${begun(key)}"intValue":"`
  return value => `${begin}${Math.round(value)}"}}`
}

/** Of a number that is measured. */
export function measuredAttribute(key: string): Write<number> {
  const begin = `${begun(key)}"doubleValue":`
  return value => `${begin}${value}}}`
}

/** An attribute that follows others; empty without a value. */
export const further = <Value>(write: Write<Value>, value: Value | undefined): string =>
  value === undefined ? '' : `,${write(value)}`
