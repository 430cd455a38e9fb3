/** A channel type as the form offers it. */
import type { AddressPreset, KeyHint, OtherField, TypeSetting } from '../../src/providers/index.ts'

export interface EndedService {
  /** ISO date; absent when the provider names none. */
  on?: string
  /** The type that serves what has taken its place. */
  successor?: { type: number; label: string }
}

export interface ProviderChoice {
  type: number
  label: string
  base_url: string
  /** Form of the base URL where every customer has one of their own. */
  base_url_form?: string
  key_format: string
  /** What the field `other` holds; absent for a type that does not read it. */
  other?: OtherField
  /** Other base URLs of the provider. */
  presets?: readonly AddressPreset[]
  /** The provider has ended the service. */
  ended?: EndedService
  /** Settings that have a field for this type alone. */
  settings?: readonly TypeSetting[]
  key_hint?: KeyHint
  /** The base URL is the whole URL: the gateway adds no path. */
  verbatim_url?: boolean
  /** The region gives the host: the channel needs no base URL. */
  host_by_region?: boolean
  /** The key is one JSON document. */
  json_key?: boolean
  /** The server may need no key. */
  optional_key?: boolean
  /** Shown first, as a tile. */
  common?: true
  /** The gateway can send calls there. */
  available: boolean
  /** Name for a new channel, when the label is taken. */
  free_name?: string
}

/** Two letters that stand for a provider: `OpenAI` is `OA`, `Ollama` is `Ol`. */
export function monogramOf(label: string): string {
  const [first = '', ...rest] = label
  const second = rest.find(letter => /[A-Z\d]/.test(letter)) ?? rest[0] ?? ''
  return first + second
}
