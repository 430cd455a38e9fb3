/** The declaration of a channel type: base URL, authentication, APIs and quirks. It opens no connection. */

import type { UpstreamFormat } from '../formats/format.ts'
import { modelsOf } from '../models/models.ts'
import type { ProviderQuirks, Quirks } from './quirks.ts'
import { type TariffFields, tariffFields } from './tariff-fields.ts'
import type { UpstreamConfig } from './upstream-config.ts'

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

/** Format, URL and quirks of one operation. */
export interface UpstreamApi extends Quirks {
  format: UpstreamFormat
  url(config: UpstreamConfig, model: string, streamed: boolean): string
  /** Headers beside those of `authorize`. */
  headers?: Record<string, string>
}

/** Anthropic's Messages API beside the provider's own chat API: Anthropic's clients need no translation there. */
export interface AnthropicApi extends UpstreamApi {
  /** Names of the models that it serves. */
  models: RegExp
}

/** Sends GET requests with the channel's key: yields URLs, receives the body of each response. */
export type UpstreamQuery<T> = (config: UpstreamConfig) => Generator<string, T | undefined, unknown>

export interface Provider {
  /** The number under which channels are stored. */
  readonly type: number
  readonly label: string
  /** Used by channels without a base URL; empty when every channel must have one. */
  readonly base_url: string
  /** Form of a key, such as `AppId|SecretId|SecretKey`; empty when nothing is known of it. */
  readonly key_format: string
  readonly models: readonly string[]
  /** A stream can be asked for its usage with `stream_options`. */
  readonly stream_usage: boolean
  readonly quirks: ProviderQuirks
  /** Request fields that choose a model, a route or a tariff; the usual ones unless declared. */
  readonly tariff_fields: TariffFields
  /** Headers that authenticate a request. */
  authorize(config: UpstreamConfig): Record<string, string>
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
export const provider = (declaration: Pick<Provider, 'type' | 'label'> & Partial<Provider>): Provider => ({
  base_url: '',
  key_format: '',
  models: modelsOf(declaration.type),
  stream_usage: false,
  quirks: {},
  tariff_fields: tariffFields,
  authorize: () => ({}),
  apis: {},
  ...declaration,
})

export const isAvailable = ({ apis }: Provider): boolean => Object.keys(apis).length > 0

/** The keys of a channel, which an operator separates by commas or lines; a repeated one counts once. */
export function keysIn({ quirks }: Provider, text: string): string[] {
  const texts = quirks.json_key ? [text] : text.split(/[,\n]/)
  const keys = [...new Set(texts.map(key => key.trim()))].filter(Boolean)
  return keys.length || !quirks.optional_key ? keys : ['']
}
