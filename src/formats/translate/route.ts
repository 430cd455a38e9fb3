/** The two formats of one translated call. */
import type { ChatClientFormat, ChatUpstreamFormat, ResponseLabel } from '../format.ts'

export interface Route {
  client: ChatClientFormat
  upstream: ChatUpstreamFormat
  /** Contains the client's request. */
  label: ResponseLabel
  /** The upstream's name for the model; undefined before the request is forwarded. */
  model?: string
}
