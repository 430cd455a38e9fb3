/** The two formats of one translated call. */
import type { HostedOffer } from '../canonical/chat.ts'
import type { ChatClientFormat, ResponseLabel, TranslatedUpstream } from '../format.ts'

export interface FormatPair {
  client: ChatClientFormat
  upstream: TranslatedUpstream
  /** Contains the client's request. */
  label: ResponseLabel
  /** Tools that the upstream runs itself for the model; those of its format unless given. */
  hosted?: readonly HostedOffer[]
  /** Prompts are marked for the upstream's cache where the client expects that, see `withCacheMarks`. */
  auto_cache?: boolean
  /** The upstream's name for the model; undefined before the request is forwarded. */
  model?: string
}
