/** What a call can be sent to. */
import type { UpstreamApi } from '../../providers/index.ts'
import type { RoutedChannel } from './routed-channel.ts'

/** A channel that can serve a call, and the API that it serves it with. */
export interface Candidate {
  channel: RoutedChannel
  api: UpstreamApi
}

/** A candidate with the key of one attempt. */
export interface Target extends Candidate {
  key: string
  /** The client's name for it. */
  model: string
}
