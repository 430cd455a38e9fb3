/** The declaration of a channel type: base URL, authentication, APIs and quirks. It opens no connection. */

import type { CustomEndpointFlaw } from '../../contracts/custom-endpoints.ts'
import type { AddressPreset } from '../../contracts/provider-choice.ts'
import { type ClientFormat, isPassed, type PassedUpstream, type UpstreamFormat } from '../../formats/format.ts'
import type { SubmitKind } from '../../formats/midjourney/wire.ts'
import { modelsOf } from '../../models/models.ts'
import type { Json } from '../../pure/json.ts'
import { joinJsonKeys, jsonKeysIn } from './json-keys.ts'
import type { KeyFlaw } from './key-shape.ts'
import type { ProviderQuirks, Quirks } from './quirks.ts'
import type { ProviderCredential } from './steps.ts'
import { type TariffFields, tariffFields } from './tariff-fields.ts'
import type { TaskApi } from './task-api.ts'
import type { UpstreamConfig } from './upstream-config.ts'
import type { VideoUpstream } from './video-api.ts'

/** Operations whose response is the result. */
export type DirectOperation =
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

/** Operations whose response is the id of a task. */
export type TaskOperation = 'music' | 'lyrics' | 'videos' | DrawingOperation

/** Those of Midjourney, by the paths at which they are submitted. */
export type DrawingOperation = `drawing_${SubmitKind}`

export type Operation = DirectOperation | TaskOperation

/** Format, URL and quirks of one operation. */
export interface UpstreamApi extends Quirks {
  /** The declaration that it belongs to: it authenticates and signs. */
  provider?: Provider
  format: UpstreamFormat
  /** The response is the id of a task, which is asked for until it ends. */
  task?: TaskApi
  /** Milliseconds until the response begins; UPSTREAM_TIMEOUT unless declared. */
  head_ms?: number
  /** The tasks are videos. */
  video?: VideoUpstream
  /** @param body before `rewriteRequest` */
  url(config: UpstreamConfig, model: string, streamed: boolean, body: Json): string
  /** Headers beside those of `authorize`. */
  headers?: ApiHeaders | ((model: string, streamed: boolean) => ApiHeaders)
}

/** An API whose format is that of the request, or translates it. */
export interface PassedApi extends UpstreamApi {
  format: PassedUpstream
}

export type ApiHeaders = Record<string, string>

/** Anthropic's Messages API beside the provider's own chat API: Anthropic's clients need no translation there. */
export interface AnthropicApi extends UpstreamApi {
  /** Names of the models that it serves. */
  models: RegExp
}

/** What decides between the variants of a provider. */
export interface ApiChoice {
  operation: Operation
  /** The upstream's name for the model. */
  model: string
  /** Key, `other` and settings of the channel. */
  config: UpstreamConfig
  /** The client's format; absent where any that the operation has will do. */
  client?: ClientFormat
  /** The client's request; absent in probes. */
  body?: Json
}

/** A request as it goes out, for its signature. */
export interface UnsignedRequest {
  method: 'GET' | 'POST' | 'DELETE'
  url: string
  headers: Record<string, string>
  /** Hex SHA-256 of the very bytes of the body. */
  body_sha256: string
}

/** Sends GET requests with the channel's key: yields URLs, receives the body of each response. */
export type UpstreamQuery<T> = (config: UpstreamConfig) => Generator<string, T | undefined, unknown>

/** End of a message key under `channel`, with the row that it names. */
export type SettingFlaw = Pick<CustomEndpointFlaw, 'code' | 'row'>

export interface ServiceEnd {
  /** ISO date; absent when the provider names none. */
  on?: string
  /** The type that serves what has taken its place. */
  successor?: number
}

/** Where the maker of the models serves them itself, rather than another gateway under the same format. */
export interface OwnApi {
  hosts: RegExp
  /** Tariff fields that the maker's API knows. */
  fields: readonly string[]
}

export interface Provider {
  /** The number under which channels are stored. */
  readonly type: number
  readonly label: string
  /** Used by channels without a base URL; empty when every channel must have one. */
  readonly base_url: string
  /** Form of a key, such as `AppId|SecretId|SecretKey`; empty when nothing is known of it. */
  readonly key_format: string
  readonly models: readonly string[]
  /** Base URLs beside `base_url`, to choose from. */
  readonly presets?: readonly AddressPreset[]
  /** The provider has ended the service. */
  readonly ended?: ServiceEnd
  /** A stream can be asked for its usage with `stream_options`; `wanted` asks where the client does. */
  readonly stream_usage: boolean | 'wanted'
  readonly quirks: ProviderQuirks
  /** Request fields that choose a model, a route or a tariff; the usual ones unless declared. */
  readonly tariff_fields: TariffFields
  /** The maker's own API, which knows no other of these fields: there they choose nothing and are left out. */
  readonly own_api?: OwnApi
  /** What is wrong with a key beyond the number of its parts. */
  keyFlaw?(key: string): KeyFlaw | undefined
  /** What is wrong with the channel's setting. */
  settingFlaw?(setting: Json): SettingFlaw | undefined
  /** Origins that the setting names, which receive keys beside that of the base URL. */
  settingOrigins?(setting: Json): string[]
  /** Headers that authenticate a request. */
  authorize(config: UpstreamConfig): Record<string, string>
  /** Headers that sign a request, over all others. */
  sign?(request: UnsignedRequest, config: UpstreamConfig): Record<string, string>
  /** The token that `config.token` holds. */
  readonly credential?: ProviderCredential
  /** Another declaration of the same type that serves the call, by model, key or client; itself for most. */
  variant?(choice: ApiChoice): Provider | undefined
  /** Every declaration that `variant` can name. */
  readonly variants?: readonly Provider[]
  /** Empty while the gateway does not know the provider's format. */
  readonly apis: Partial<Record<Operation, UpstreamApi>>
  readonly anthropic_api?: AnthropicApi
  listModels?: UpstreamQuery<string[]>
  /** Balance of the account, in the provider's own currency. */
  balance?: UpstreamQuery<number>
  /** US dollars unless declared. */
  readonly balance_currency?: 'CNY'
}

/** A provider with defaults in place of what is not declared. */
export function provider(declaration: Pick<Provider, 'type' | 'label'> & Partial<Provider>): Provider {
  const declared: Provider = {
    base_url: '',
    key_format: '',
    models: modelsOf(declaration.type),
    stream_usage: false,
    quirks: {},
    tariff_fields: tariffFields,
    authorize: () => ({}),
    apis: {},
    ...declaration,
  }
  const { apis, anthropic_api } = declared
  const owned = <Api extends UpstreamApi>(api: Api) => ({ ...api, provider: declared })
  const ownedApis = Object.fromEntries(Object.entries(apis).map(([operation, api]) => [operation, owned(api)]))
  return Object.assign(declared, { apis: ownedApis, ...(anthropic_api && { anthropic_api: owned(anthropic_api) }) })
}

/** @throws Error for an API to which requests must be translated first */
export function passedApi(api: UpstreamApi): PassedApi {
  if (isPassed(api.format)) return api as PassedApi
  throw new Error(`requests must be translated to ${api.format.name}`)
}

/** Whether a channel of this type with this base URL reaches the maker itself. */
export function reachesMaker({ own_api, base_url: own }: Provider, base_url: string): boolean {
  const url = URL.parse(base_url || own)
  return own_api !== undefined && url !== null && own_api.hosts.test(url.hostname)
}

/** A declaration and all its variants. */
export const familyOf = (declared: Provider): readonly Provider[] => [declared, ...(declared.variants ?? [])]

export const isAvailable = (declared: Provider): boolean =>
  familyOf(declared).some(({ apis }) => Object.keys(apis).length > 0)

/** The keys of a channel, which an operator separates by commas or lines, JSON documents as a list; a repeated one counts once. */
export function keysIn({ quirks }: Provider, text: string): string[] {
  const texts = quirks.json_key ? jsonKeysIn(text) : text.split(/[,\n]/)
  const keys = [...new Set(texts.map(key => key.trim()))].filter(Boolean)
  return keys.length || !quirks.optional_key ? keys : ['']
}

/** @returns the text that `keysIn` reads */
export const joinKeys = ({ quirks }: Provider, keys: readonly string[]): string =>
  quirks.json_key ? joinJsonKeys(keys) : keys.join(',')
