import type { ClientFormatName, FormatName } from '../../../src/formats/canonical/chat.ts'
import type { Json } from '../../../src/pure/json.ts'

export type UpstreamOnlyName = Exclude<FormatName, ClientFormatName>

/** Bodies of one format, by names. */
export interface ExactBodies {
  requests: Record<string, Json>
  responses: Record<string, unknown>
  /** Data of the events: objects as JSON. */
  streams: Record<string, readonly unknown[]>
  /** HTTP status and body; status 0 inside a response of status 200. */
  errors: readonly (readonly [status: number, body: unknown])[]
  /** What is known from the address alone. */
  asked?: { model: string; stream: boolean }
}
