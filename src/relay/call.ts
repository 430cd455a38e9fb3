/**
 * The stages of a call. Each field is written once, by the room that owns its stage, and is read from then on; an
 * override of a channel makes another call.
 */
import type { Price } from '../billing/price.ts'
import type { RequestFacts, StoredReference } from '../formats/format.ts'
import type { Language } from '../locales/languages.ts'
import { assign } from '../pure/assign.ts'
import type { Json } from '../pure/json.ts'
import type { ClientConnection } from '../stream/client-connection.ts'
import type { AttemptLog } from './attempts.ts'
import type { ApiCaller } from './caller.ts'
import type { CallReservation } from './charging/call-reservation.ts'
import type { Endpoint } from './endpoint.ts'
import type { Slots } from './request/call-limits.ts'
import type { CanonicalForm } from './request/canonical-form.ts'
import type { ChosenField } from './request/chosen-field.ts'
import type { Departure } from './request/departure.ts'
import type { MultipartForm } from './request/multipart-form.ts'
import type { CallRecorder } from './watching/call-recorder.ts'
import type { CallTrace } from './watching/call-trace.ts'

/** What the request says. */
export interface ReadCall extends AsyncDisposable {
  readonly endpoint: Endpoint
  readonly request_id: string
  /** The calling user. */
  readonly user_id: number
  readonly path: string
  /** Language of error messages. */
  readonly language: Language
  readonly facts: RequestFacts
  /** As the client has sent it. */
  readonly body: Json
  /** `body` in canonical form. */
  readonly canonical: CanonicalForm
  /** Whether the body is written in steps. */
  readonly is_large: boolean
  /** The multipart form that `body` came in, with its files. */
  readonly form?: MultipartForm
  /** Tokens of the body, estimated. */
  readonly body_tokens: number
  /** Milliseconds since the request came, or since it has had its turn. */
  elapsed(): number
  /** A call that has waited for its turn begins: the channel is not slow because the node was busy. */
  restartClock(): void
  /** The client's name for a background response; the upstream has another. */
  readonly response_id?: string
  /** Aborted when the client disconnects. */
  readonly disconnected: AbortSignal
  readonly departure: Departure
  readonly connection: ClientConnection
  /** Marks of the gateways that this call has passed, ours last. */
  readonly hops: string
  /** The client's name for the conversation, in a header; absent for most. */
  readonly session: string | undefined
  /** Headers that an upstream of the client's format may see. */
  readonly client_headers: Record<string, string>
  readonly attempts: AttemptLog
  /** Absent for calls that are not traced. */
  readonly trace?: CallTrace
  readonly recorder: CallRecorder
}

/** With what the upstream has stored for it. */
export interface RoutedCall extends ReadCall {
  /** What the call refers to; absent for most. */
  readonly held?: readonly HeldReference[]
  /** The upstream's id of the response before, where the client knows another. */
  readonly previous_id?: string
  /** Tokens of what the upstream has stored and reads before the prompt; a part of `prompt_tokens`. */
  readonly stored_tokens: number
  /** Estimated, with what the upstream has stored. */
  readonly prompt_tokens: number
}

/** With what the request chooses beside its model. */
export interface PlannedCall extends RoutedCall {
  /** Absent for nearly every call. */
  readonly chosen_fields?: readonly ChosenField[]
  /** Prices of the models that the request lists beside its own; absent for nearly every call. */
  readonly other_models?: Readonly<Record<string, Price>>
  /** The upstream may run tools of its own, whose results become part of the prompt. */
  readonly runs_tools: boolean
}

/** With what is held for it: it may go to an upstream. */
export interface Call extends PlannedCall {
  readonly hold: Hold
  /** Path at which the upstream may push a task, by channel; absent for most. */
  readonly callback?: (channel_id: number) => string
  /** `body` with the channel's parameter override, where the call is metered by that. */
  readonly billed_body?: Json
}

/** What a reservation pays for. */
export interface Hold {
  /** Output tokens of one choice. */
  readonly paid_output: number
  /** The model can produce more than is paid for: the upstream is sent `paid_output` as the limit. */
  readonly is_limited: boolean
  /** Only upstreams whose format carries a limit may serve the call: another could produce more than is held. */
  readonly sends_limit: boolean
  /** The cache write that the prompt may be billed as; absent where none costs more than input. */
  readonly cache_write?: '5m' | '1h'
  /** The prompt, where it may grow beyond the request. */
  readonly prompt?: number
  /** Uses of the upstream's own tools, by tool of the price table; absent for nearly every call. */
  readonly tool_uses?: Readonly<Record<string, number>>
}

/** The call in its next stage: the same object with more fields, since a copy would cost more than the stage. */
export const nextStage = <From extends object, To extends From>(call: From, fields: Omit<To, keyof From>): To =>
  assign(call, fields as object) as To

/** A reference of the client to something stored. */
export interface HeldReference {
  reference: StoredReference
  /** The user who made it here; `NO_MAKER` for one that was made elsewhere. */
  maker: number
}

export interface PricedCall {
  readonly call: Call
  readonly caller: ApiCaller
  readonly price: Price
}

/** A call with a price, a reservation and slots. */
export interface BillableCall extends PricedCall {
  readonly reservation: CallReservation
  readonly slots: Slots
}
