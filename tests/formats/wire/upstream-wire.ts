import type { ClientFormatName } from '../../../src/formats/canonical/chat.ts'
import type { TranslatedUpstream } from '../../../src/formats/format.ts'
import type { Row } from '../matrix.ts'
import type { Feature, Json } from './sse.ts'

/** What the upstreams of one format receive and send, for each feature: the same as in every client's format. */
export interface UpstreamWire {
  title: string
  format: TranslatedUpstream
  /** The upstream's name for the model. */
  model: string
  /** What the request of every client becomes. */
  requests: Partial<Record<Feature, Json>>
  /** Absent for an API that is asked for streams alone: whole responses are gathered from them. */
  answers?: Partial<Record<Feature, Json>>
  /** As server-sent events, whatever the framing of the API is. */
  streams: Partial<Record<Feature, string>>
  /** "Slow down", as the status of the wire means it: 429. */
  errors: { status: number; body: unknown; stream: string }
  /** Why a row is absent. */
  without?: Partial<Record<Row, string>>
  /** Keys whose values are ids: their order counts. */
  ids?: readonly string[]
  /** Keys that a client's format has no word for. */
  unsaid?: Partial<Record<ClientFormatName, readonly string[]>>
}
