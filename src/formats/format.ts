/** What a wire format must be able to do. Codecs know no network, no database and no options. */

import type { Json } from '../pure/json.ts'
import type { ApiError, ChatRequest, Owner, Usage } from './canonical/chat.ts'
import type { Dialect } from './dialect.ts'
import type { Flaw } from './json/checks.ts'
import type { ApplyModelSettings } from './translate/model-settings.ts'

/** What the gateway must know of a request, whatever its format. */
export interface RequestFacts {
  model: string
  stream: boolean
  /** The most output tokens the caller allows for one answer. */
  max_output: number | undefined
  /** How many answers are asked for. */
  choices: number
  /** Whether the caller wants a stream to end with its usage. */
  wants_usage: boolean
  /** How many things a price per call counts, such as images; 1 unless said. */
  calls?: number
  /** Size, quality: what one thing of this call costs relative to the listed one; 1 unless said. */
  multiplier?: number
  /** Whether the answer is a file, passed on as it comes. */
  is_file?: boolean
}

/** A format that callers speak. */
export interface ClientFormat {
  /** The format in full, where it can be translated. */
  readonly dialect?: Dialect
  readFacts(body: Json): RequestFacts | Flaw
  /**
   * Estimates the tokens of the prompt, for the reservation, and for the bill when the upstream reports no usage.
   * @param read the body in canonical form, where that is wanted: it may have been read already
   */
  promptTokens(body: Json, read?: () => ChatRequest | Flaw): number
  /** The prompt as text, for logs that keep it. */
  promptText(body: Json): string
  /** In whose words upstreams are asked, where nobody is asked in these. */
  readonly conversion?: FormatConversion
  /** An error inside a stream that has begun. */
  writeErrorFrame(failure: ApiError): string
}

/** From a format to another that upstreams speak, and back. */
export interface FormatConversion {
  /** @param owner whose upstream it is, where that understands more than the words it is asked in */
  convertRequest(body: Json, owner?: Owner): Json
  convertResponse(answer: Json): Json
}

export interface ForwardOptions {
  /** The upstream's name for the model. */
  model: string
  /** Whether a streamed answer must report its usage, where the upstream can. */
  stream_usage: boolean
  /** Put before what the caller's own system message says. */
  system_prompt: string
  /** Put there instead. */
  replace_system?: boolean
}

/** What was read of an answer, whole or so far. */
export interface ResponseFacts {
  /** What the upstream reports as used, in its own words. */
  readonly usage_report: Json | undefined
  /** Tokens in what was produced, by our own count. */
  readonly output_estimate: number
  /** What was produced, where it is kept. */
  readonly text: string
  /** The whole answer as its caller's format has it, where that is another. */
  readonly rewritten?: Json
}

/** Our own counts, for where there is no report or it cannot be believed. */
export interface LocalCounts {
  readonly prompt: number
  readonly output: number
  /** The request, for formats whose price depends on what was asked for. */
  readonly asked?: Json
  /** Whether the price counts calls: tokens that nobody reported need not be made up. */
  readonly by_call?: boolean
}

export interface MeteredUsage {
  usage: Usage
  /** Who counted. */
  by: 'upstream' | 'gateway'
  /** What in the report could not be believed. */
  doubts: string[]
}

/** Why an upstream says no, as far as it can be read. */
export interface UpstreamError {
  message: string
  type: string
  code: string
  param: string | null
  /** What the status should have been, where the answer's own says something else, or nothing. */
  status?: number
}

/** A format that upstreams speak. */
export interface UpstreamFormat {
  /** The format in full, where it can be translated. */
  readonly dialect?: Dialect
  /** Whose upstream it is, where requests may carry what only that one understands. */
  readonly owner?: Owner
  /** The same request in the same format for an upstream: a copy in which only what must differ does. */
  forward(body: Json, edit: ForwardOptions): Json
  /** What names and settings ask for, put into what was forwarded. */
  applyModelSettings?: ApplyModelSettings
  /** @param body parsed, or the text that it is. @returns undefined when it is not an answer of this format. */
  readResponse(body: unknown): ResponseFacts | undefined
  /** A fresh reader for each stream. */
  readStream(options: ReadOptions): StreamReader
  meter(report: Json | undefined, counted: LocalCounts): MeteredUsage
  /** @param status 0 inside an answer that began well. @returns undefined when the body holds no error. */
  readError(body: unknown, status?: number): UpstreamError | undefined
  /** A whole answer as the stream that it could have been. */
  toStream?(answer: Json): string
  /** Whether an upstream may answer whole although a stream was asked for. */
  readonly may_respond_whole?: boolean
}

export interface ReadOptions {
  /** Whether what is produced is kept as text. */
  keep_text: boolean
  /** How many answers were asked for. */
  choices?: number
}

/**
 * What one event of a stream is: `content` goes on, `usage` is nothing but the report, `end` is the last word, `finish`
 * is the last word unless another follows, `error` is the upstream giving up, `broken` is not of this format.
 */
export type EventKind = 'content' | 'usage' | 'end' | 'finish' | 'error' | 'broken'

/** Reads along while events pass; its figures are right after every event. */
export interface StreamReader extends ResponseFacts {
  /**
   * @param data of one event: as text where it is retold; else its bytes as Latin-1, so that none is lost and none
   * decoded in vain
   */
  read(data: string): EventKind
  /**
   * Reads many whole events at once, as far as they are plainly pieces of the answer in the usual form.
   * @returns how many bytes it has read; what comes then has to be looked at event by event
   */
  skim?(events: Buffer): number
  /** Whether the upstream said that the answer is complete. */
  readonly finished: boolean
  readonly error: UpstreamError | undefined
  /** What goes on in place of the events that have been read, once; absent where they themselves go on. */
  takeRewritten?(): string
  /** The last words of an answer that is complete, as far as the upstream has not said them. */
  end(metered: MeteredUsage, wants_usage: boolean): string
  /** The last words of an answer that cannot be completed, where they depend on what was told before. */
  fail?(failure: ApiError): string
}
