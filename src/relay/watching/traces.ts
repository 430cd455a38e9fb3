/** Which calls are traced, and where their spans go. */
import { NODE_ID } from '../../cluster/node.ts'
import { option } from '../../domain/options/index.ts'
import { env } from '../../env.ts'
import { SpanExporter } from '../../net/span-exporter.ts'
import { now_ms } from '../../process/clock.ts'
import { onShutdown } from '../../process/shutdown.ts'
import { store } from '../../process/stores.ts'
import { first, textAttribute, writeSpans } from '../../pure/otlp.ts'
import { isWithinShare, readTraceContext, type TraceContext } from '../../pure/trace-context.ts'
import { VERSION } from '../../pure/version.ts'
import { addressOf, idOf, pathOf } from '../../web/request.ts'
import type { RelayContext } from '../endpoint.ts'
import { CallTrace, randomHex } from './call-trace.ts'
import { SCHEMA_URL, write } from './trace-names.ts'

const TRACE_ID_BYTES = 16
/** Of each text of an attribute. */
const TEXT_MAX = 1024

const isOn = () =>
  (env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT !== undefined || env.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined) &&
  !env.OTEL_SDK_DISABLED &&
  env.OTEL_TRACES_EXPORTER === 'otlp'

/** @returns undefined for a call that is not traced */
export function beginTrace({ request, server, route }: RelayContext): CallTrace | undefined {
  if (!isOn() || !isCall(route)) return undefined
  const { headers, method } = request
  const parent = readTraceContext(headers.get('traceparent'), headers.get('tracestate'))
  const trace_id = parent?.trace_id ?? randomHex(TRACE_ID_BYTES)
  if (!isSampled(trace_id, parent)) return undefined
  const start = { trace_id, state: parent?.state, parent_id: parent?.span_id, start_ms: now_ms() }
  const target = `${write.method(method)}${write.route(route.path)}${write.path(clipped(pathOf(request.url)))}`
  const agent = write.agent(clipped(headers.get('user-agent') ?? '') || undefined)
  const client = `${write.client(addressOf(request, server))}${agent}${write.requestId(idOf(request))}`
  return new CallTrace({ ...start, name: `${method} ${route.path}`, attributes: target + client }, send)
}

/** Lookups cost nothing, and are not traced. */
const isCall = ({ operation, method, by_session, by_visitor }: RelayContext['route']) =>
  operation !== undefined || (method === 'POST' && (by_session || by_visitor) === true)

export const clipped = (text: string) => (text.length > TEXT_MAX ? text.slice(0, TEXT_MAX).toWellFormed() : text)

const samplers: Record<typeof env.OTEL_TRACES_SAMPLER, (trace_id: string, parent?: TraceContext) => boolean> = {
  always_on: () => true,
  always_off: () => false,
  traceidratio: id => isWithinShare(id, env.OTEL_TRACES_SAMPLER_ARG),
  parentbased_always_on: (_, parent) => parent?.sampled ?? true,
  parentbased_always_off: (_, parent) => parent?.sampled ?? false,
  parentbased_traceidratio: (id, parent) => parent?.sampled ?? isWithinShare(id, env.OTEL_TRACES_SAMPLER_ARG),
}
const isSampled = (trace_id: string, parent?: TraceContext) => samplers[env.OTEL_TRACES_SAMPLER](trace_id, parent)

/** Headers of a request to an upstream. @returns undefined for calls that are not traced, and while it is off */
export const upstreamTraceHeaders = (trace: CallTrace | undefined): Record<string, string> | undefined =>
  trace && option('PassTraceContext') ? trace.headers() : undefined

const exporter = store('spans', new SpanExporter(collector))
onShutdown('database', () => exporter.flush())

const send = (trace: CallTrace, spans: Parameters<CallTrace['send']>[1]) =>
  exporter.add(writeSpans(trace, spans), spans.length)

function collector() {
  const attributes = Object.entries(resourceAttributes()).map(([key, value]) => first(textAttribute(key))(value))
  const resource = `{"attributes":[${attributes.join()}]}`
  const scope = JSON.stringify({ name: 'tollgate', version: VERSION })
  const schema = JSON.stringify(SCHEMA_URL)
  return {
    url: env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? `${env.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, '')}/v1/traces`,
    headers: { ...env.OTEL_EXPORTER_OTLP_HEADERS, ...env.OTEL_EXPORTER_OTLP_TRACES_HEADERS },
    timeout_ms: env.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT ?? env.OTEL_EXPORTER_OTLP_TIMEOUT,
    /** What stands before the spans of a request, and after them. */
    begin: `{"resourceSpans":[{"resource":${resource},"scopeSpans":[{"scope":${scope},"schemaUrl":${schema},"spans":[`,
    end: ']}]}]}',
  }
}

const resourceAttributes = (): Record<string, string> => ({
  'service.name': 'tollgate',
  'service.version': VERSION,
  'service.instance.id': NODE_ID,
  ...env.OTEL_RESOURCE_ATTRIBUTES,
  ...(env.OTEL_SERVICE_NAME && { 'service.name': env.OTEL_SERVICE_NAME }),
})
