/** Deviations of a provider: of one API from its wire format, and of the provider from what the gateway assumes. */
import type { KeyHint, OtherField, TypeSetting } from '../../contracts/provider-choice.ts'
import type { HostedOffer } from '../../formats/canonical/chat.ts'
import { isObject } from '../../formats/json/checks.ts'
import type { ModelKind } from '../../models/kinds.ts'
import type { Json } from '../../pure/json.ts'
import type { Steps } from './steps.ts'
import type { UpstreamConfig } from './upstream-config.ts'

/** How one API of a provider deviates from its wire format. The functions are pure and keep fields that they do not know. */
export interface Quirks {
  /** The request as the provider accepts it. */
  rewriteRequest?(body: Json, config: UpstreamConfig): Json
  /** Moves what the operator's headers and the client's ask for into the body. @returns both, as they are sent */
  absorbHeaders?(
    body: Json,
    own: Record<string, string>,
    client: Record<string, string>,
  ): { body: Json; headers: Record<string, string> }
  /** Header that names the type of an error, as `__type` of the body. */
  error_type_header?: string
  /** Header of a response that reports the tariff which one of the fields has chosen. */
  tariff_header?: { name: string; fields: readonly string[] }
  /** A whole body, errors included, as the format has it. @param request the client's own body */
  rewriteResponse?(body: Json, request: Json): Json
  /** One event of a stream as the format has it. @returns undefined for an event that is dropped */
  rewriteEvent?(event: Json): Json | undefined
  /** Tools that the provider runs itself for a model, where they are not those of the format. */
  hosted?(model: string): readonly HostedOffer[]
  /** The provider fetches no URLs: images and documents must be inline. */
  fetches_no_urls?: boolean
  /** The provider accepts no multipart forms: files must be data URLs in a JSON body. */
  takes_no_forms?: boolean
  /** How a stream is framed; server-sent events unless declared, or unless its media type is that of another framing. */
  framing?: Framing
  /** An exception between the frames of a stream, as the format has errors. */
  writeException?(exception: { type: string; message: string }): Json
  /** The request goes out as the first message of a WebSocket; each message of the upstream is an event. */
  socket?: SocketQuirk
  /** The API responds in streams alone: for other clients the stream is gathered. */
  streams_only?(model: string, request: Json): boolean
  /** Conversations can be kept as threads, under the id of their last message. */
  holds_threads?: true
  /** The API has no streams: one is written from the whole response. */
  no_streams?: true
  /**
   * The response to a streamed request is a body that names the URL of its stream. @returns undefined where it names
   * none: the stream is written from the whole response
   */
  streamFrom?(body: Json): string | undefined
  /** The most inputs of one request for embeddings; a longer list goes out in parts, side by side. */
  inputs_max?(model: string): number
  /** Requests before the call, such as uploads. @returns the body with what they gave */
  before?(body: Json, config: UpstreamConfig): Steps<Json>
  /** Requests after a whole response, such as polls of the job that it names. @returns the body that counts */
  after?(body: unknown, config: UpstreamConfig, request: Json): Steps<unknown>
  /** A file in the request is its whole body. @returns undefined when the body contains none */
  onlyFile?(body: Json): { type: string; bytes: Uint8Array<ArrayBuffer> } | undefined
  /** A file that came in place of a body, as a body. */
  wrapFile?(bytes: Uint8Array, type: string): Json
  /** Takes a file out of a JSON body. @returns undefined when the body contains none */
  unwrapFile?(body: Json, request: Json): WrappedFile | undefined
}

/** `raw_sse`: server-sent events whose data is text. */
export type Framing = 'ndjson' | 'aws_event_stream' | 'raw_sse'

export interface SocketQuirk {
  /** Whether the upstream sends nothing after this message. */
  isLast(message: Json): boolean
}

export interface WrappedFile {
  /** Media type. */
  type: string
  bytes: Uint8Array<ArrayBuffer>
  /** Usage as the body reports it. */
  report?: Json
}

/** How a provider deviates as a whole. */
export interface ProviderQuirks {
  /** 400 may be the provider's own limit: another channel may accept the same request. */
  retries_400?: true
  /** 403 means that the key will never work again. */
  forbidden_is_fatal?: true
  /** The base URL is the whole URL of every operation; `{model}` in it stands for the model. */
  verbatim_url?: true
  /** The region gives the host: the channel needs no base URL. */
  host_by_region?: true
  /** The channel's setting gives the addresses: the channel needs no base URL. */
  host_by_setting?: true
  /** The key is one JSON document, spaces and commas included, and never sent as it is. */
  json_key?: true
  /** Form of the keys that are no JSON document beside it. */
  plain_key?: RegExp
  /** Value of the channel's `other` when the operator gives none. */
  default_other?: string
  /** What the channel's `other` holds; absent for a type that does not read it. */
  other?: OtherField
  /** The server may need no authentication: a channel without a key has one empty key. */
  optional_key?: true
  /** Settings of the channel that the type has a field for. */
  settings?: readonly TypeSetting[]
  /** What the parts of a key are, where its form does not say it. */
  key_hint?: KeyHint
  /** Numbers of parts that a key may have, separated by `|`. */
  key_parts?: readonly number[]
  /** Form of the base URL, for a provider whose customers each have their own. */
  base_url_form?: string
  /** Kind of every model, for a provider whose model names do not show it; the model that a channel test asks for by default. */
  probe?: { kind?: ModelKind; model?: string }
}

/** @returns the same body when the API has no quirk for it. An error in a list of one stands alone. */
export function rewriteBody(body: unknown, { rewriteResponse }: Quirks, request: Json): unknown {
  const single = isErrorList(body) ? body[0] : body
  return rewriteResponse && isObject(single) ? rewriteResponse(single, request) : single
}

/** Google wraps errors so. https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/api-errors (read 2026-11) */
const isErrorList = (body: unknown): body is [Json] =>
  Array.isArray(body) && body.length === 1 && isObject(body[0]) && isObject(body[0].error)
