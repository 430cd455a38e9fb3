/** What a provider reads of a channel to build one request: base URL, one key, and the fields of its type. */
import type { Json } from '../../pure/json.ts'

export interface UpstreamConfig {
  /** Empty when the channel uses the provider's own. */
  base_url: string
  key: string
  openai_organization?: string
  /** The type's own field, such as an API version or a region. */
  other?: string
  /** API version that a model setting names. */
  version?: string
  /** The provider's own settings of the channel, such as the kind of an app. */
  setting?: Json
  /** Earned with the key, or found out with it, where the provider declares a credential. */
  token?: string
  /** Unix milliseconds of the request, for signatures. */
  at_ms?: number
  /** URL of the operator's site, for providers that attribute calls. */
  site?: string
  /** Address at which a task may be pushed; absent where the operator allows none. */
  callback?: string
  /** Pseudonym of the calling user, always the same; absent in probes. A function, since few providers ask for it. */
  caller?(): string
}
