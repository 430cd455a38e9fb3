/** What a provider reads of a channel to build one request: base URL, one key, and the fields of its type. */
export interface UpstreamConfig {
  /** Empty when the channel uses the provider's own. */
  base_url: string
  key: string
  openai_organization?: string
  /** The type's own field, such as an API version or a region. */
  other?: string
  /** API version that a model setting names. */
  version?: string
  /** URL of the operator's site, for providers that attribute calls. */
  site?: string
}
