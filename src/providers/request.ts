/** Builds the request that goes to a provider, in named steps. */
import type { ModelSettings, OutgoingRequest } from '../formats/translate/model-settings.ts'
import { joinHeaders } from '../pure/headers.ts'
import type { Json } from '../pure/json.ts'
import type { UpstreamApi } from './provider.ts'
import { providerOf } from './registry.ts'
import type { UpstreamConfig } from './upstream-config.ts'

/** What one request needs of a channel. */
export interface UpstreamCall extends UpstreamConfig {
  type: number
  system_prompt?: string
  /** The system prompt replaces the client's own; otherwise it stands before it. */
  replace_system?: boolean
  param_override?: Json
  /** The most output tokens of one choice that are paid for, where the model can produce more. */
  output_limit?: number
  /** The operator's model settings; undefined when the body passes unchanged. */
  settings?: ModelSettings
}

/** A body on the wire, and the headers that describe it. */
export interface EncodedBody {
  headers: Record<string, string>
  body: string | ReadableStream<Uint8Array>
}

export interface UpstreamRequest extends EncodedBody {
  url: string
}

/**
 * @param model the upstream's name
 * @param encode writes the body; as JSON unless given
 */
export function buildRequest(
  api: UpstreamApi,
  call: UpstreamCall,
  model: string,
  body: Json,
  encode: (body: Json) => EncodedBody = encodeJson,
): UpstreamRequest {
  const out = withModelSettings(api, call, { model, body: forwardBody(api, call, model, body) })
  const limited = withOutputLimit(api, call, out)
  const config = out.version ? { ...call, version: out.version } : call
  const rewritten = api.rewriteRequest?.(limited.body, config) ?? limited.body
  const encoded = encode(withParamOverride(rewritten, limited))
  return {
    url: api.url(config, out.model, body.stream === true),
    headers: joinHeaders(encoded.headers, providerOf(call.type)!.authorize(call), api.headers, out.headers),
    body: encoded.body,
  }
}

/** The body in the API's format, with the upstream's model name, the channel's system prompt and the wish for usage. */
function forwardBody({ format }: UpstreamApi, call: UpstreamCall, model: string, body: Json): Json {
  const { stream_usage } = providerOf(call.type)!
  const { system_prompt = '', replace_system } = call
  return format.forward(body, { model, stream_usage, system_prompt, replace_system })
}

const withModelSettings = (
  { format }: UpstreamApi,
  { settings }: UpstreamCall,
  out: OutgoingRequest,
): OutgoingRequest => (settings && format.applyModelSettings?.(out, settings)) ?? out

/** Limits the output in the body and in the override: either may name a limit, and the override's is the one that counts. */
function withOutputLimit({ format }: UpstreamApi, call: UpstreamCall, { model, body }: OutgoingRequest) {
  const { output_limit, param_override } = call
  if (output_limit === undefined || !format.limitOutput) return { body, param_override }
  if (!param_override) return { body: format.limitOutput(body, output_limit, model), param_override }
  const limited = Object.entries(format.limitOutput({ ...body, ...param_override }, output_limit, model))
  return {
    body: { ...body, ...Object.fromEntries(limited.filter(([name]) => !(name in param_override))) },
    param_override: Object.fromEntries(limited.filter(([name]) => name in param_override)),
  }
}

/** The override changes every field but `stream`, which the reader of the response relies on. */
const withParamOverride = (body: Json, { param_override }: Pick<UpstreamCall, 'param_override'>): Json =>
  param_override ? { ...body, ...param_override, stream: body.stream } : body

const jsonHeaders = { 'content-type': 'application/json' }
const encodeJson = (body: Json): EncodedBody => ({ headers: jsonHeaders, body: JSON.stringify(body) })
