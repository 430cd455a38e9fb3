/** Builds the request that goes to a provider, in named steps. */
import { createHash } from 'node:crypto'
import { withNestedLowered } from '../../formats/json/nested-limits.ts'
import type { ModelSettings, OutgoingRequest } from '../../formats/translate/model-settings.ts'
import { joinHeaders } from '../../pure/headers.ts'
import type { Json } from '../../pure/json.ts'
import type { PassedApi, UpstreamApi } from './provider.ts'
import type { UpstreamConfig } from './upstream-config.ts'

/** What one request needs of a channel. */
export interface UpstreamCall extends UpstreamConfig {
  system_prompt?: string
  /** The system prompt replaces the client's own; otherwise it stands before it. */
  replace_system?: boolean
  param_override?: Json
  /** The most output tokens of one choice that are paid for, where the model can produce more. */
  output_limit?: number
  /** The operator's model settings; undefined when the body passes unchanged. */
  settings?: ModelSettings
  /** Headers of a client whose format is the API's own. */
  client_headers?: Record<string, string>
}

/** A body on the wire, and the headers that describe it. */
export interface EncodedBody {
  headers: Record<string, string>
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
  /** Hex, for signatures; read from the body where that is no stream. */
  sha256?: string
}

export interface UpstreamRequest extends EncodedBody {
  url: string
}

/** A request before its body is encoded. */
export interface DraftRequest {
  url: string
  headers: Record<string, string>
  body: Json
}

/**
 * @param model the upstream's name
 * @param encode writes the body; as JSON unless given
 */
export function buildRequest(
  api: PassedApi,
  call: UpstreamCall,
  model: string,
  body: Json,
  encode: (body: Json) => EncodedBody = encodeJson,
): UpstreamRequest {
  const draft = draftRequest(api, call, model, body)
  return sealRequest(api, call, draft, encode(draft.body))
}

export function draftRequest(api: PassedApi, call: UpstreamCall, model: string, body: Json): DraftRequest {
  const out = withModelSettings(api, call, { model, body: forwardBody(api, call, model, body) })
  const limited = withOutputLimit(api, call, out)
  const config = out.version ? { ...call, version: out.version } : call
  const rewritten = api.rewriteRequest?.(limited.body, config) ?? limited.body
  const streamed = body.stream === true
  const declared = typeof api.headers === 'function' ? api.headers(out.model, streamed) : api.headers
  const { client_headers = {} } = call
  const sent = api.absorbHeaders?.(rewritten, out.headers ?? {}, client_headers) ?? {
    body: rewritten,
    headers: joinHeaders(out.headers, client_headers),
  }
  return {
    url: api.url(config, out.model, streamed, limited.body),
    headers: joinHeaders(ownerOf(api).authorize(call), declared, sent.headers),
    body: withParamOverride(sent.body, limited),
  }
}

/** The request with its encoded body, signed. */
export function sealRequest(
  api: UpstreamApi,
  call: UpstreamCall,
  { url, headers: own }: DraftRequest,
  encoded: EncodedBody,
): UpstreamRequest {
  const headers = joinHeaders(encoded.headers, own)
  const { sign } = ownerOf(api)
  const signature = sign?.({ method: 'POST', url, headers, body_sha256: sha256Of(encoded) }, call)
  return { url, headers: signature ? joinHeaders(headers, signature) : headers, body: encoded.body }
}

/** Every API is made by a declaration. */
const ownerOf = ({ provider }: UpstreamApi) => provider!

function sha256Of({ body, sha256 }: EncodedBody): string {
  if (sha256) return sha256
  if (body instanceof ReadableStream) throw new Error('a stream to be signed names no SHA-256')
  return createHash('sha256').update(body).digest('hex')
}

/** The body in the API's format, with the upstream's model name, the channel's system prompt and the wish for usage. */
function forwardBody(api: PassedApi, call: UpstreamCall, model: string, body: Json): Json {
  const { stream_usage } = ownerOf(api)
  const { system_prompt = '', replace_system } = call
  return api.format.forward(body, { model, stream_usage, system_prompt, replace_system })
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
  const lower = (body: Json) => format.limitOutput!(withNestedLowered(body, output_limit), output_limit, model)
  if (!param_override) return { body: lower(body), param_override }
  const limited = Object.entries(lower({ ...body, ...param_override }))
  return {
    body: { ...body, ...Object.fromEntries(limited.filter(([name]) => !(name in param_override))) },
    param_override: Object.fromEntries(limited.filter(([name]) => name in param_override)),
  }
}

/** The override changes every field but `stream`, which the reader of the response relies on. */
const withParamOverride = (body: Json, { param_override }: Pick<UpstreamCall, 'param_override'>): Json =>
  param_override ? { ...body, ...param_override, stream: body.stream } : body

const jsonHeaders = { 'content-type': 'application/json' }
export const encodeJson = (body: Json): EncodedBody => ({ headers: jsonHeaders, body: JSON.stringify(body) })
