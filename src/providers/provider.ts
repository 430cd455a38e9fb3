/** A channel type, declared: where it is, how its key opens it, what it speaks. Never dials. */

import type { UpstreamFormat } from '../formats/format.ts'
import { isObject } from '../formats/json/checks.ts'
import type { Json } from '../pure/json.ts'

/** What callers can have done. */
export type Operation =
  | 'chat'
  | 'responses'
  | 'completions'
  | 'embeddings'
  | 'image_generations'
  | 'image_edits'
  | 'image_variations'
  | 'speech'
  | 'transcriptions'
  | 'translations'
  | 'moderations'
  | 'rerank'
  | 'realtime'

/** What a provider needs to know of a channel, with the one key that is used this time. */
export interface UpstreamConfig {
  base_url: string
  key: string
  openai_organization?: string
  /** What this type wants beside an address and a key, such as an API version. */
  other?: string
  /** Of the API, where a setting names one. */
  version?: string
  /** The operator's own site, for those who ask on whose behalf they are called. */
  site?: string
}

/** Where a provider is otherwise than its format says: pure, and what it does not know passes unchanged. */
export interface Quirks {
  /** The request as this provider takes it. */
  rewriteRequest?(body: Json, line: UpstreamConfig): Json
  /** A whole body, an error too, as its format says it: what was `asked` is the caller's own request. */
  rewriteResponse?(body: Json, asked: Json): Json
  /** One event of a stream as its format says it; undefined when it is not to go on. */
  rewriteEvent?(event: Json): Json | undefined
  /** It looks no address up: pictures have to come with the request. */
  fetches_no_urls?: boolean
  /** It knows no forms: their files have to stand in a body, as addresses of themselves. */
  takes_no_forms?: boolean
  /** A file that comes wrapped in a body. */
  unwrapFile?(body: Json, asked: Json): WrappedFile | undefined
}

export interface WrappedFile {
  /** What kind of file it is. */
  type: string
  bytes: Uint8Array<ArrayBuffer>
  /** What it took, where the body says it. */
  report?: Json
}

/** How one operation is asked for. */
export interface UpstreamApi extends Quirks {
  format: UpstreamFormat
  url(line: UpstreamConfig, model: string, streamed: boolean): string
  /** Beside those that let a request in. */
  headers?: Record<string, string>
}

/** Chats in a second format, for callers who write in that one. */
export interface AnthropicApi extends UpstreamApi {
  /** Which models it has. */
  models: RegExp
}

/** A whole body as its format says it: the very same where there is nothing to change. */
export const rewriteBody = (body: unknown, { rewriteResponse }: Quirks, asked: Json): unknown =>
  rewriteResponse && isObject(body) ? rewriteResponse(body, asked) : body

/** Asks with GET, under the same key: yields addresses, is given what each of them answers. */
export type UpstreamQuery<T> = (line: UpstreamConfig) => Generator<string, T | undefined, unknown>

export interface Provider {
  /** The number that channels are stored with. */
  readonly type: number
  readonly label: string
  /** Where it is when the channel does not say; empty when the channel must. */
  readonly base_url: string
  /** How its key is written, such as `AppId|SecretId|SecretKey`. */
  readonly key_format: string
  /** Whether several keys may be given, separated by commas. */
  readonly many_keys: boolean
  readonly models: readonly string[]
  /** Whether a stream can be asked for its usage. */
  readonly stream_usage: boolean
  /** The headers that let a request in. */
  authorize(line: UpstreamConfig): Record<string, string>
  /** Empty while the provider cannot be used yet. */
  readonly apis: Partial<Record<Operation, UpstreamApi>>
  readonly anthropic_api?: AnthropicApi
  /** The upstream's own list of models. */
  listModels?: UpstreamQuery<string[]>
  /** What is left on the account, in the provider's own currency. */
  balance?: UpstreamQuery<number>
}

/** A body on the wire, and what the headers say of it. */
export interface EncodedBody {
  headers: Record<string, string>
  body: string | ReadableStream<Uint8Array>
}

/** A request on its way out. */
export interface UpstreamRequest extends EncodedBody {
  url: string
}

/** Whether calls can go there today. */
export const isAvailable = (provider: Provider): boolean => Object.keys(provider.apis).length > 0

/** The keys of a channel, as its provider writes them. */
export const keysIn = (provider: Provider, text: string): string[] =>
  (provider.many_keys ? text.split(/[,\n]/) : [text]).map(key => key.trim()).filter(Boolean)
