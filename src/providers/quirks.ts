/** Deviations of a provider: of one API from its wire format, and of the provider from what the gateway assumes. */
import { isObject } from '../formats/json/checks.ts'
import type { ModelKind } from '../models/kinds.ts'
import type { Json } from '../pure/json.ts'
import type { OtherField } from './other-field.ts'
import type { UpstreamConfig } from './upstream-config.ts'

/** How one API of a provider deviates from its wire format. The functions are pure and keep fields that they do not know. */
export interface Quirks {
  /** The request as the provider accepts it. */
  rewriteRequest?(body: Json, config: UpstreamConfig): Json
  /** A whole body, errors included, as the format has it. @param request the client's own body */
  rewriteResponse?(body: Json, request: Json): Json
  /** One event of a stream as the format has it. @returns undefined for an event that is dropped */
  rewriteEvent?(event: Json): Json | undefined
  /** The provider fetches no URLs: images must be inline. */
  fetches_no_urls?: boolean
  /** The provider accepts no multipart forms: files must be data URLs in a JSON body. */
  takes_no_forms?: boolean
  /** Takes a file out of a JSON body. @returns undefined when the body contains none */
  unwrapFile?(body: Json, request: Json): WrappedFile | undefined
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
  /** The key is one JSON document, spaces and commas included, and never sent as it is. */
  json_key?: true
  /** Value of the channel's `other` when the operator gives none. */
  default_other?: string
  /** What the channel's `other` holds; absent for a type that does not read it. */
  other?: OtherField
  /** The server may need no authentication: a channel without a key has one empty key. */
  optional_key?: true
  /** Numbers of parts that a key may have, separated by `|`. */
  key_parts?: readonly number[]
  /** Form of the base URL, for a provider whose customers each have their own. */
  base_url_form?: string
  /** Kind of every model, for a provider whose model names do not show it. */
  probe?: { kind: ModelKind }
}

/** @returns the same body when the API has no quirk for it */
export const rewriteBody = (body: unknown, { rewriteResponse }: Quirks, request: Json): unknown =>
  rewriteResponse && isObject(body) ? rewriteResponse(body, request) : body
