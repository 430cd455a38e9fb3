/** Trace context in headers. https://www.w3.org/TR/trace-context/ (read 2026-11) */

export interface TraceContext {
  /** 32 hexadecimal digits. */
  trace_id: string
  /** 16 hexadecimal digits. */
  span_id: string
  sampled: boolean
  /** What other systems have added, as it came. */
  state?: string
}

const parents = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/
const zeros = /^0+$/
const STATE_MAX = 512
/** Members of a name and a value, comma-separated. */
const states = /^[\x20-\x7e\t]*=[\x20-\x7e\t]*$/

/** @returns undefined for headers that name no trace: then a new one begins */
export function readTraceContext(traceparent: string | null, tracestate: string | null): TraceContext | undefined {
  if (traceparent === null) return undefined
  const [, version, trace_id = '', span_id = '', flags = '', more] = parents.exec(traceparent.trim()) ?? []
  if (!version || version === 'ff' || (version === '00' && more) || zeros.test(trace_id) || zeros.test(span_id))
    return undefined
  const state = tracestate && tracestate.length <= STATE_MAX && states.test(tracestate) ? tracestate : undefined
  return { trace_id, span_id, sampled: (Number.parseInt(flags, 16) & 1) === 1, state }
}

/** The headers of a request that is sent within the span. */
export const traceHeaders = ({ trace_id, span_id, sampled, state }: TraceContext): Record<string, string> => ({
  traceparent: `00-${trace_id}-${span_id}-${sampled ? '01' : '00'}`,
  ...(state && { tracestate: state }),
})

/** Of the 52 last bits, which are exact as a number. */
const RANDOM_DIGITS = 13
const RANDOM_BITS = 52

/** Whether a share of all traces has this one: every system that keeps the same share keeps the same traces. */
export const isWithinShare = (trace_id: string, share: number) =>
  Number.parseInt(trace_id.slice(-RANDOM_DIGITS), 16) < share * 2 ** RANDOM_BITS
