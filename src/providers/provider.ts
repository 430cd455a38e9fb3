/** A channel type, declared: where it is, how its key opens it, what it speaks. Never dials. */
import type { Json, UpstreamCodec } from '../codecs/codec.ts'

/** What callers can have done. */
export type Operation = 'chat'

/** What a provider needs to know of a channel, with the one key that is used this time. */
export interface Line {
  base_url: string
  key: string
  openai_organization?: string
  other?: string
}

/** How one operation is asked for. */
export interface Spoken {
  codec: UpstreamCodec
  url(line: Line, model: string): string
}

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
  authorize(line: Line): Record<string, string>
  /** Empty while the provider cannot be used yet. */
  readonly speaks: Partial<Record<Operation, Spoken>>
  /** The upstream's own list of models. */
  listModels?: { url(line: Line): string; read(body: Json): string[] }
}

/** A request on its way out. */
export interface Outgoing {
  url: string
  headers: Record<string, string>
  body: string
}

/** Whether calls can go there today. */
export const isAvailable = (provider: Provider): boolean => Object.keys(provider.speaks).length > 0

/** The keys of a channel, as its provider writes them. */
export const keysIn = (provider: Provider, text: string): string[] =>
  (provider.many_keys ? text.split(/[,\n]/) : [text]).map(key => key.trim()).filter(Boolean)
