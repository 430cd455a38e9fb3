/** What the steps of a call hand on to each other. */

import type { Price } from '../billing/price.ts'
import type { Language } from '../contracts/languages.ts'
import type { Attempt } from '../contracts/log.ts'
import type { RoutedChannel } from '../domain/channels/index.ts'
import type { TokenRow } from '../domain/tokens/index.ts'
import type { User } from '../domain/users/index.ts'
import type { Reservation } from '../domain/wallet/index.ts'
import type { ClientFormat, RequestFacts } from '../formats/format.ts'
import type { Operation } from '../providers/index.ts'
import type { Json } from '../pure/json.ts'
import type { ClientConnection } from '../stream/client-connection.ts'
import type { MultipartForm } from './request/multipart-form.ts'

/** An address that callers can call: what it is for, and the format spoken there. */
export interface Endpoint {
  operation: Operation
  format: ClientFormat
  /** Whether it takes forms: besides JSON, or nothing else, and then with a recording. */
  form?: 'too' | 'recording'
  /** The model, where the address names it. */
  model?: string
  /** Whether to stream, where the address says it; `array` as one list in JSON instead of events. */
  stream?: boolean | 'array'
  /** Whether it opens a socket, and there is no body. */
  is_websocket?: boolean
}

/** Who calls, and as which group: the one that decides channels and price. */
export interface ApiCaller {
  token: TokenRow
  user: User
  group: string
  /** The only channel that this call may use: an administrator's wish, written into the key. */
  channel_id: number | undefined
}

/** What is asked for, from the body that was read once. */
export interface Call {
  endpoint: Endpoint
  request_id: string
  path: string
  readonly language: Language
  facts: RequestFacts
  body: Json
  /** Where `body` came as a form: that form, with its files. */
  form?: MultipartForm
  /** About how many tokens the prompt is. */
  prompt_tokens: number
  /** Milliseconds since the request came. */
  elapsed(): number
  /** Aborted when the caller leaves. */
  disconnected: AbortSignal
  connection: ClientConnection
  /** Marks of the gateways that this call has passed, ours the last. */
  hops: string
  client_headers: Record<string, string>
  /** Every channel it was sent to, in order. */
  attempts: Attempt[]
}

/** A call that is being paid for. */
export interface BillableCall {
  call: Call
  caller: ApiCaller
  price: Price
  reservation: Reservation
}

/** A channel to try, with the key to use. */
export interface Target {
  channel: RoutedChannel
  key: string
}
