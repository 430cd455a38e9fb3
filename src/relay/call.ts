/** The values that the steps of a call pass on. */
import type { Server } from 'bun'
import type { Price } from '../billing/price.ts'
import type { Attempt } from '../contracts/log.ts'
import type { Refusal } from '../contracts/refusal.ts'
import type { TokenRow } from '../domain/tokens/index.ts'
import type { User } from '../domain/users/index.ts'
import type { ChatRequest } from '../formats/canonical/chat.ts'
import type { ClientFormat, RequestFacts, StoredReference } from '../formats/format.ts'
import type { Flaw } from '../formats/json/checks.ts'
import type { Language } from '../locales/languages.ts'
import type { Operation } from '../providers/index.ts'
import type { Json } from '../pure/json.ts'
import type { ClientConnection } from '../stream/client-connection.ts'
import type { CallReservation } from './charging/reserve.ts'
import type { ApiRoute } from './endpoints/table.ts'
import type { RealtimeSession } from './realtime/session.ts'
import type { ChosenField } from './request/chosen-fields.ts'
import type { Departure } from './request/departure.ts'
import type { MultipartForm } from './request/multipart-form.ts'
import type { Slots } from './request/rate-limit.ts'

/** The server's side of a request; null in tests without a socket. */
export type RelayServer = Pick<Server<RealtimeSession>, 'requestIP' | 'timeout' | 'upgrade'> | null

export interface RelayContext {
  request: Request
  server: RelayServer
  /** Path parameters; `*` is a model name, with what follows it. */
  params: Record<string, string>
  route: ApiRoute
}

/** What a path does: the operation and the client's format. */
export interface Endpoint {
  operation: Operation
  format: ClientFormat
  /** `optional`: JSON or a multipart form. `recording`: a form with an audio file, whose seconds are measured. */
  form?: 'optional' | 'recording'
  /** Path below that of the operation, which upstreams of the client's own format alone have. */
  below?: string
  /** The model, where the path names it. */
  model?: string
  /** Whether to stream, where the path or query says it; `array` streams one JSON array instead of events. */
  stream?: boolean | 'array'
}

export interface ApiCaller {
  /** Of the playground: without limits, and never charged. */
  token: TokenRow
  /** Absent for an API key. */
  session?: CallerSession
  user: User
  /** Decides channels and price: the token's group, else the user's. */
  group: string
  /** The only channel that this call may use; administrators append it to their key. */
  channel_id: number | undefined
  /** Of the client. */
  address: string
}

/** The session of the console that the playground calls with. */
export interface CallerSession {
  /** Unix seconds. */
  expires_time: number
  /** Why a call that was admitted would be refused now; undefined while it may go on. */
  lostAccess(): Promise<Refusal | undefined>
}

export interface Call extends AsyncDisposable {
  endpoint: Endpoint
  request_id: string
  /** The calling user. */
  user_id: number
  path: string
  /** Of error messages. */
  readonly language: Language
  facts: RequestFacts
  body: Json
  /** `body` with the channel's parameter override, where the call is metered by that. */
  billed_body?: Json
  /** Whether the body is written in steps. */
  is_large: boolean
  /** Set by `canonicalRequest` once the body has been read into canonical form. */
  canonical?: ChatRequest | Flaw
  /** The multipart form that `body` came in, with its files. */
  form?: MultipartForm
  /** What the request chooses beside its model; absent for nearly every call. */
  chosen_fields?: readonly ChosenField[]
  /** Prices of the models that the request lists beside its own; absent for nearly every call. */
  other_models?: Readonly<Record<string, Price>>
  /** The upstream may run tools of its own, whose results become part of the prompt. */
  runs_tools?: boolean
  /** Uses of such tools that are held for, by tool of the price table; absent for nearly every call. */
  tool_uses?: Readonly<Record<string, number>>
  /** The prompt that is held for where it may grow beyond the request. */
  held_prompt?: number
  /** Estimated, with what the upstream has stored. */
  prompt_tokens: number
  /** What the upstream has stored for this call to refer to; set by `holders`. */
  held?: readonly HeldReference[]
  /** Tokens of what the upstream has stored and reads before the prompt; a part of `prompt_tokens`. */
  stored_tokens: number
  /** The cache write that the prompt may be billed as; absent where none costs more than input. */
  cache_write?: '5m' | '1h'
  /** Output tokens of one choice that the reservation pays for; 0 before. */
  paid_output: number
  /** The model can produce more than is paid for: the upstream is sent `paid_output` as the limit. */
  is_limited: boolean
  /** Only upstreams whose format carries a limit may serve the call: another could produce more than is held. */
  sends_limit: boolean
  /** Milliseconds since the request came. */
  elapsed(): number
  /** The client's name for a background response; the upstream has another. */
  response_id?: string
  /** Aborted when the client disconnects. */
  disconnected: AbortSignal
  departure: Departure
  connection: ClientConnection
  /** Marks of the gateways that this call has passed, ours last. */
  hops: string
  /** Headers that an upstream of the client's format may see. */
  client_headers: Record<string, string>
  /** Every attempt, in order. */
  attempts: Attempt[]
}

/** A reference of the client to something stored. */
export interface HeldReference {
  reference: StoredReference
  /** The user who made it here; `NO_MAKER` for one that was made elsewhere. */
  maker: number
}

/** A call with a price, a reservation and slots. */
export interface BillableCall {
  /** Replaced by the call as it was sent, with the channel's parameter override, once an upstream responds. */
  call: Call
  caller: ApiCaller
  price: Price
  reservation: CallReservation
  slots: Slots
}
