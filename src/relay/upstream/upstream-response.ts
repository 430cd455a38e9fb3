/** What an upstream answered, before anything of it has gone to the caller. */

import type { RoutedChannel } from '../../domain/channels/index.ts'
import type { EventKind, ResponseFacts, StreamReader } from '../../formats/format.ts'
import type { ChunkReader } from '../../net/upstream-fetch.ts'
import type { UpstreamApi } from '../../providers/index.ts'
import type { EventCutter } from '../../stream/sse.ts'

interface ResponseBase {
  channel: RoutedChannel
  /** The upstream's name for the model. */
  model: string
  /** How it was asked for. */
  api: UpstreamApi
  /** Milliseconds from the request to the first event, or to the whole answer. */
  first_ms: number
}

export interface WholeResponse extends ResponseBase {
  bytes: Uint8Array<ArrayBuffer>
  type: string
  facts: ResponseFacts
}

/** A file of which the first bytes have been seen. */
export interface FileResponse extends ResponseBase {
  abort: AbortController
  source: ChunkReader
  first: Uint8Array
  type: string
  facts: ResponseFacts
}

/** A stream of which the first event has been seen and is no error. */
export interface StreamedResponse extends ResponseBase {
  abort: AbortController
  source: ChunkReader
  cutter: EventCutter
  facts: StreamReader
  /** Until it goes on: whoever reads slowly must not keep it for all that time. */
  first_events: FirstEvents | undefined
}

/** Whole events that came with the first one; `read` of their bytes are known, the first event being of this kind. */
export interface FirstEvents {
  events: Buffer
  read: number
  kind: EventKind
}

export type UpstreamResponse = WholeResponse | StreamedResponse | FileResponse

export const isStreamed = (answer: UpstreamResponse): answer is StreamedResponse => 'cutter' in answer

export const isFile = (answer: UpstreamResponse): answer is FileResponse => 'first' in answer
