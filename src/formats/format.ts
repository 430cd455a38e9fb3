/** The interfaces of a wire format. Formats are pure: no network, no database, no options. */
import type { Json } from '../pure/json.ts'
import type { ApiError, ChatRequest, ChatResponse, ClientFormatName, FormatName, Owner } from './canonical/chat.ts'
import type { EventReader, EventWriter } from './event-streams.ts'
import type { FormatLimits } from './format-limits.ts'
import type { Flaw } from './json/checks.ts'
import type { BillingBasis, MeteredFacts, MeteredUsage, ReportedUsage } from './reported-usage.ts'
import type { MadeObject, StoredKind, StoredReference } from './stored-places.ts'
import type { ApplyModelSettings } from './translate/model-settings.ts'

export type * from './event-streams.ts'
export type * from './format-limits.ts'
export type * from './reported-usage.ts'
export type * from './stored-places.ts'

export interface WireFormat {
  /** Unique among the formats of chats. */
  readonly name: string
}

/** The half of a format that clients see, for any operation. */
export interface ClientFormat extends WireFormat {
  readFacts(body: Json): RequestFacts | Flaw
  /**
   * Estimates the tokens of the prompt, for the reservation, and for the bill when nothing else counts them.
   * @param read gives the body in canonical form, which may have been read already
   */
  promptTokens(body: Json, read?: () => ChatRequest | Flaw): number
  /** The same before its texts are estimated; absent where they are none, or few. */
  promptParts?(body: Json, read?: () => ChatRequest | Flaw): Countable
  /**
   * What a tokenizer counts of the prompt, for a bill when the upstream reports no usage.
   * @param model the upstream's name, which decides the tokens of images
   * @returns undefined when the estimate is what is billed, such as seconds of a recording
   */
  countablePrompt?(body: Json, model: string): Countable | undefined
  /** @returns the prompt as text, for logs */
  promptText(body: Json): string
  /** Converts to the format of the upstreams, when the operation has no upstream of this format. */
  readonly conversion?: FormatConversion
  /** Reads responses that another gateway has written in this format; absent where the format is one of upstreams too. */
  readonly responses?: PassedUpstream
  /** @returns the events of a stream that is nothing but a failure, or the end of one where that is the same */
  writeErrorFrame(error: ApiError, response: FailedResponse): string
  /** Whether clients that asked for a stream know an error only as events of a stream, and not as the status. */
  failsInStream?(error: ApiError): boolean
}

/** A response that fails before any of its events. */
export interface FailedResponse {
  /** The id of the call. */
  id: string
  model: string
  /** Unix seconds. */
  created: number
}

/** The half of a format that upstreams see: bodies pass, or are translated. */
export type UpstreamFormat = PassedUpstream | TranslatedUpstream

/** What both have. */
interface UpstreamBase extends WireFormat {
  /** Applies model name suffixes and the operator's model settings to a forwarded request. */
  applyModelSettings?: ApplyModelSettings
  /**
   * Lowers the limit of output tokens of one choice in a forwarded request, or sets one, and fits a thinking budget
   * into it. Absent in operations without such a limit.
   */
  limitOutput?(body: Json, limit: number, model: string): Json
  /** @param status of the HTTP response; 0 inside a response of status 200. @returns undefined when there is no error */
  readError(body: unknown, status?: number): ApiError | undefined
  /** @returns a whole response as a stream of the same content */
  toStream?(response: Json): string
}

/** Requests pass as they are forwarded, and responses as they come, of any operation: the gateway reads along. */
export interface PassedUpstream extends UpstreamBase {
  /** The provider whose own fields a converted request may contain. */
  readonly owner?: Owner
  /** @returns a copy of a request of this format, with the upstream's model name and the operator's instructions */
  forward(body: Json, edit: ForwardOptions): Json
  /** @param body parsed JSON, or the text itself. @returns undefined when the body is no response of this format */
  responseFacts(body: unknown): ResponseFacts | undefined
  /** @returns a new reader, for one stream */
  streamReader(options: ReadOptions): StreamReader
  /** @returns a new gathering of one stream, for a client that wants a whole response; absent where the client's format passes */
  gathering?(): StreamGathering
  /** Tells the usage of a response by its report, and what that leaves to count. */
  meter(facts: MeteredFacts, basis: BillingBasis): ReportedUsage
  /** Allows an upstream to answer a streamed request with a whole response. */
  readonly may_respond_whole?: boolean
}

/** The half of a chat format that clients see: to and from the canonical form. */
export interface ChatClientFormat extends ClientFormat {
  readonly name: ClientFormatName
  readonly limits: FormatLimits
  /** @param url fields that the format has in the URL */
  readRequest(body: Json, url?: UrlFields): ChatRequest | Flaw
  writeResponse(response: ChatResponse, label: ResponseLabel): Json
  /** @returns a new writer, for one stream */
  writeStream(label: ResponseLabel): EventWriter
  writeError(error: ApiError): Json
}

/** Chats are written from the canonical form and read into it, for clients of other formats. */
export interface TranslatedUpstream extends UpstreamBase {
  readonly name: FormatName
  readonly limits: FormatLimits
  /** @param request after `applyLosses` */
  writeRequest(request: ChatRequest): Json
  /** @returns undefined when the body is no response of this format */
  readResponse(body: unknown): ChatResponse | undefined
  /** @returns a new reader, for one stream */
  readStream(): EventReader
}

/** A chat format of clients and upstreams: between two of it bodies pass, with another they are translated. */
export type ChatFormat = ChatClientFormat & PassedUpstream & TranslatedUpstream

export const isChatClient = (format: ClientFormat): format is ChatClientFormat => 'readRequest' in format
export const isChatUpstream = (format: UpstreamFormat): format is TranslatedUpstream => 'writeRequest' in format
export const isPassed = (format: UpstreamFormat): format is PassedUpstream => 'forward' in format

/** What the gateway reads of a request, for any operation. */
export interface RequestFacts {
  model: string
  stream: boolean
  /** The most output tokens that the client allows for one choice. */
  max_output: number | undefined
  /** Choices that the client asks for. */
  choices: number
  /** The client wants a stream to end with its usage. */
  wants_usage: boolean
  /** Units of a price per call, such as images; 1 by default. */
  calls?: number
  /** Price of one unit relative to the listed price, by size and quality; 1 by default. */
  multiplier?: number
  /** The response is a file and passes unchanged. */
  is_file?: boolean
  /** What the upstream has stored and reads before the prompt; absent for most. */
  stored?: readonly StoredReference[]
  /** What the upstream stores of this call, under the id of its response; absent where it stores nothing. */
  stores?: StoredKind
  /** The client fetches the response later. */
  background?: BackgroundRequest
}

/** A request whose response the gateway keeps for its client. */
export interface BackgroundRequest {
  /** The same request without the wish to run in the background. */
  body: Json
  /** The client wants the events of the response. */
  is_streamed: boolean
}

/** What a tokenizer counts. */
export interface Countable {
  /** Each is counted for itself. */
  texts: string[]
  /** Tokens of what is no text. */
  tokens: number
}

/** What the gateway reads of a response: of all of it, or of a stream so far. */
export interface ResponseFacts {
  /** The usage that the upstream reports, as `meter` of the same format reads it. */
  readonly usage_report: Json | undefined
  /** The upstream's id of a chat response. */
  readonly id?: string
  /** Id under which the upstream keeps the conversation. */
  readonly conversation?: string
  /** Tokens of the output by the gateway's own count. It depends on the text alone, not on how a stream was cut. */
  readonly output_estimate: number
  /** Tokens of thoughts within `output_estimate`. */
  readonly thinking_estimate?: number
  /** Output tokens of the report, which some upstreams repeat while a stream runs. */
  readonly reported_output?: number
  /** The same output for the tokenizer; absent when it is no text. */
  readonly countable_output?: Countable
  /** The output as text, when it is logged. */
  readonly text: string
  /** The model that responded, by the upstream's word; absent where the format names none. */
  readonly model?: string
  /** The response in the client's format, when that is another. */
  readonly rewritten?: Json
  /** @returns what the response names as made for it. @param is_stored the upstream keeps its items */
  made?(is_stored: boolean): readonly MadeObject[]
}

/** Converts whole requests and responses of an operation between two formats. */
export interface FormatConversion {
  /** @param owner of the upstream, when that understands the client's own fields */
  convertRequest(body: Json, owner?: Owner): Json
  convertResponse(response: Json): Json
}

export interface ForwardOptions {
  /** The upstream's name for the model. */
  model: string
  /** The upstream can report the usage of a stream when it is asked to; of `wanted` only the client knows. */
  stream_usage: boolean | 'wanted'
  /** The operator's instructions; they stand before those of the client. */
  system_prompt: string
  /** The operator's instructions replace those of the client. */
  replace_system?: boolean
}

export interface ReadOptions {
  /** Keep the output as text. */
  keep_text: boolean
  /** Choices that the client asked for. */
  choices?: number
}

/**
 * The kind of one event of a stream: `content` passes; `usage` is nothing but the report; `end` is the last event;
 * `finish` is the last event unless another follows; `error` is the upstream's failure; `failed` is one in the words of
 * the client's format, `failing` one that more of follows; `broken` is not of this format.
 */
export type EventKind = 'content' | 'usage' | 'end' | 'finish' | 'error' | 'failing' | 'failed' | 'broken'

export const isFailure = (kind: EventKind): boolean =>
  kind === 'error' || kind === 'failing' || kind === 'failed' || kind === 'broken'

/** Reads the events of one stream as they pass; its facts are current after every event. */
export interface StreamReader extends ResponseFacts {
  /** @param data of one event: text when the stream is rewritten, else its bytes as Latin-1, which are not decoded in vain */
  read(data: string): EventKind
  /**
   * Reads whole events as long as each adds nothing but text to the output.
   * @returns the bytes that were read; the event after them needs `read`
   */
  skim?(events: Buffer): number
  /** Whether the upstream has marked the response as complete. */
  readonly finished: boolean
  readonly error: ApiError | undefined
  /** What the upstream says of its failure, in the client's format. */
  readonly failure_words?: Json
  /** @returns what passes in place of the events read since the last time; absent when the events themselves pass */
  takeRewritten?(): string
  /** @returns the last events of a complete response, as far as the upstream has not sent them */
  end(metered: MeteredUsage, wants_usage: boolean): string
  /** @returns the last events of a response that fails; absent where they do not depend on those before */
  fail?(error: ApiError): string
}

/** Gathers the events of one stream into a whole response in the client's format. */
export interface StreamGathering {
  read(data: string): EventKind
  readonly error: ApiError | undefined
  readonly so_far: ResponseFacts
  /** @returns undefined for a stream that broke off. Reads the end of the stream, so it is called once. */
  facts(): ResponseFacts | undefined
}

/** Fields that some formats have in the URL. */
export interface UrlFields {
  model?: string
  stream?: boolean
}

/** What a response is written under; the same label gives the same ids. */
export interface ResponseLabel {
  /** The id of the call: ids that the upstream does not give are made of it. */
  id: string
  /** Unix seconds. */
  created: number
  request: ChatRequest
  /** Estimated tokens of the prompt, for Anthropic's first event. */
  prompt?: number
}
