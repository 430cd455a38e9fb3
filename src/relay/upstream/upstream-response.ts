/** An upstream's response, before any of it has gone to the client. */

import type { Tariffs } from '../../billing/usage.ts'
import type { RoutedChannel, Sender } from '../../domain/routing/index.ts'
import type { EventKind, ResponseFacts, StreamReader } from '../../formats/format.ts'
import type { PacedBody } from '../../net/fast-bodies.ts'
import type { ChunkReader } from '../../net/upstream-fetch.ts'
import type { PassedApi, UpstreamApi } from '../../providers/index.ts'
import type { EventCutter } from '../../stream/sse.ts'
import type { Call } from '../call.ts'
import type { UnseenOutput } from '../charging/unseen-output.ts'
import type { ChosenField } from '../request/chosen-field.ts'

/** A response whose head has come. */
export interface UpstreamExchange {
  call: Call
  channel: RoutedChannel
  model: string
  api: PassedApi
  response: Response
  abort: AbortController
  thinking: UnseenOutput | undefined
  /** Present where a body passes to the client as it comes. */
  pace: PacedBody | undefined
  /** Sends the requests that follow the response. */
  sender: Sender
}

interface ResponseBase {
  /** The call as it was sent, with the facts of the channel's parameter override. */
  call: Call
  channel: RoutedChannel
  /** The key of the channel that the upstream has answered to. */
  key: string
  /** The upstream's name for the model. */
  model: string
  /** Reads the response. */
  api: PassedApi
  /** Undefined for a model that does not think, or shows what it thinks. */
  thinking: UnseenOutput | undefined
  /** Milliseconds from the request to the first event, or to the whole response. */
  first_ms: number
  /** Tariffs that a header reports. */
  tariffs?: Tariffs
}

export const responseBase = ({
  call,
  channel,
  model,
  api,
  thinking,
  sender,
  response,
}: UpstreamExchange): ResponseBase => ({
  call,
  channel,
  key: sender.config.key,
  model,
  api,
  thinking,
  first_ms: call.elapsed(),
  ...(call.chosen_fields &&
    api.tariff_header &&
    reportedTariffs(response.headers, call.chosen_fields, api.tariff_header)),
})

function reportedTariffs(
  headers: Headers,
  chosen: readonly ChosenField[],
  { name, fields }: NonNullable<UpstreamApi['tariff_header']>,
): { tariffs?: Tariffs } {
  const tariff = headers.get(name)
  const field = chosen.find(({ name }) => fields.includes(name))
  return tariff && field ? { tariffs: { [field.name]: tariff.toLowerCase() } } : {}
}

export interface WholeResponse extends ResponseBase {
  bytes: Uint8Array<ArrayBuffer>
  type: string
  facts: ResponseFacts
  /** The client has left, and the response is read no further: nothing is delivered of it. */
  is_cut?: true
}

/** A file whose first bytes have come. */
export interface FileResponse extends ResponseBase {
  abort: AbortController
  source: ChunkReader
  first: Uint8Array
  type: string
  facts: ResponseFacts
}

/** A file counts as one thing, whatever its size. */
export const FILE_FACTS: ResponseFacts = { usage_report: undefined, output_estimate: 1, text: '' }

/** A stream whose first event has come: the response has not failed, unless it did so as no other channel would help. */
export interface StreamedResponse extends ResponseBase {
  abort: AbortController
  source: ChunkReader
  cutter: EventCutter
  facts: StreamReader
  /** Cleared once delivered: a slow client must not hold the bytes for the whole stream. */
  first_events: FirstEvents | undefined
}

/** Whole events of the first chunk. */
export interface FirstEvents {
  events: Buffer
  /** Where the last event begins that has been read; those before it pass. */
  from: number
  /** Where it ends. */
  read: number
  /** Its kind. */
  kind: EventKind
}

export type UpstreamResponse = WholeResponse | StreamedResponse | FileResponse

export const isStreamed = (response: UpstreamResponse): response is StreamedResponse => 'cutter' in response

export const isFile = (response: UpstreamResponse): response is FileResponse => 'first' in response
