/**
 * Spans as JSON of OTLP, joined by hand: ids in hexadecimal digits, whole numbers of 64 bits as text, enums as numbers.
 * https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding (read 2026-11)
 */

export const SpanKind = { internal: 1, server: 2, client: 3 } as const

export interface TraceSpan {
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
  const ids = flat(`{"traceId":"${trace_id}",${state ? `"traceState":${JSON.stringify(state)},` : ''}"spanId":"`)
  const second = Math.floor(start_ms / MS_PER_SECOND)
  const begin = { second, text: String(second), offset_ms: start_ms - second * MS_PER_SECOND }
  let written = ''
  for (const { span_id, parent_id, name, kind, start_ms, end_ms, attributes, failed } of spans) {
    const parent = parent_id ? PARENT : ''
    const from = nanoseconds(begin, start_ms)
    const to = nanoseconds(begin, end_ms)
    const status = failed ? FAILED : ']}'
    written += `${written && ','}${ids}${span_id}${parent}${parent_id ?? ''}${headOf(name, kind)}${from}${END}${to}${ATTRIBUTES}${attributes}${status}`
  }
  return written
}

const PARENT = '","parentSpanId":"'
const END = '","endTimeUnixNano":"'
const ATTRIBUTES = '","attributes":['
const FAILED = `],"status":{"code":${STATUS_ERROR}}}`

const MEMO_MAX = 500
const headMemo = { 1: new Map<string, string>(), 2: new Map<string, string>(), 3: new Map<string, string>() }

/** What stands between the ids of a span and its times. Names are few. */
function headOf(name: string, kind: TraceSpan['kind']): string {
  const memo = headMemo[kind]
  const known = memo.get(name)
  if (known) return known
  const head = flat(`","name":${JSON.stringify(name)},"kind":${kind},"startTimeUnixNano":"`)
  if (memo.size >= MEMO_MAX) memo.clear()
  memo.set(name, head)
  return head
}

/** Joined texts are a tree of their parts in this engine: one that is used again is made a text once. */
const flat = (text: string) => [text, ''].join('')

const MS_PER_SECOND = 1000
const NS_PER_MS = 1_000_000
const NS_PER_SECOND = 1_000_000_000

/** Since 1970: more digits than a number holds. Most calls end in the second in which they begin, whose text is there. */
function nanoseconds({ second, text, offset_ms }: { second: number; text: string; offset_ms: number }, ms: number) {
  const ns = Math.max(0, Math.floor((offset_ms + ms) * NS_PER_MS))
  if (ns < NS_PER_SECOND) return text + nineDigits(ns)
  return String(second + Math.floor(ns / NS_PER_SECOND)) + nineDigits(ns % NS_PER_SECOND)
}

const nineDigits = (ns: number) => (ns >= NS_PER_SECOND / 10 ? String(ns) : String(NS_PER_SECOND + ns).slice(1))

/** Writes an attribute as JSON, which follows others by its comma; empty without a value. */
type Write<Value> = (value: Value | undefined) => string

/** What does not change is written once. */
const begun = (key: string) => `,{"key":${JSON.stringify(key)},"value":{`

export function textAttribute(key: string): Write<string> {
  const begin = `${begun(key)}"stringValue":`
  return value => (value === undefined ? '' : `${begin}${JSON.stringify(value)}}}`)
}

export function flagAttribute(key: string): Write<boolean> {
  const begin = `${begun(key)}"boolValue":`
  return value => (value === undefined ? '' : `${begin}${value}}}`)
}

/** Of a number that is counted. */
export function wholeAttribute(key: string): Write<number> {
  const begin = `${begun(key)}"intValue":"`
  return value => (value === undefined ? '' : `${begin}${Math.round(value)}"}}`)
}

/** Of a number that is measured. */
export function measuredAttribute(key: string): Write<number> {
  const begin = `${begun(key)}"doubleValue":`
  return value => (value === undefined ? '' : `${begin}${value}}}`)
}

/** Of an attribute whose values are few: each is written once. */
export function repeated<Value>(write: Write<Value>): Write<Value> {
  const writtenMemo = new Map<Value, string>()
  return value => {
    if (value === undefined) return ''
    const known = writtenMemo.get(value)
    if (known) return known
    const written = flat(write(value))
    if (writtenMemo.size >= MEMO_MAX) writtenMemo.clear()
    writtenMemo.set(value, written)
    return written
  }
}

/** Of an attribute that begins the list: without its comma. */
export const first =
  <Value>(write: Write<Value>): Write<Value> =>
  value =>
    write(value).slice(1)
