/** A channel type as the form offers it. */

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

export type OtherMeaning = 'api_version' | 'model_version' | 'knowledge_base' | 'plugin' | 'account' | 'region' | 'bot'

export interface OtherField {
  meaning: OtherMeaning
  /** Value that an empty field stands for, or a typical one. */
  example?: string
}

/** A base URL of the same provider, with its reason: another region, or a plan with an address of its own. */
export interface AddressPreset {
  kind:
    | 'mainland'
    | 'international'
    | 'united_states'
    | 'europe'
    | 'hong_kong'
    | 'workspace'
    | 'coding'
    | 'coding_abroad'
    | 'gateway'
  base_url: string
}

export type TypeSetting = 'dify_app' | 'workspace' | 'routes' | 'mj_keep_mode' | 'mj_notify'
export type KeyHint = 'bedrock' | 'vertex' | 'spark' | 'tencent' | 'wenxin' | 'dify' | 'coze' | 'cloudflare' | 'gateway'
