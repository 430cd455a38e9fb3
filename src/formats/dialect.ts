/**
 * A wire format, to and from the canonical form. Whoever calls in one format is answered from an upstream of another by
 * the reading half of one dialect and the writing half of the other; no dialect knows that there are others.
 */

import type { Json } from '../pure/json.ts'
import type { ApiError, ChatRequest, ChatResponse, FormatName, StreamEvent } from './canonical/chat.ts'
import type { Flaw } from './json/checks.ts'

export interface Dialect {
  readonly name: FormatName
  /** @param asked what the request's address says, where the format says it there. */
  readRequest(body: Json, asked?: UrlFields): ChatRequest | Flaw
  /** The request as this format can say it; see `losses.ts`. */
  writeRequest(request: ChatRequest): Json
  /** @returns undefined when it is not an answer of this format. */
  readResponse(body: unknown): ChatResponse | undefined
  writeResponse(answer: ChatResponse, label: ResponseLabel): Json
  /** A fresh reader for each stream. */
  readStream(): EventReader
  /** A fresh writer for each stream. */
  writeStream(label: ResponseLabel): EventWriter
  /** @returns undefined when the body holds no error. */
  readError(body: unknown, status: number): ApiError | undefined
  writeError(failure: ApiError): Json
}

export interface UrlFields {
  model?: string
  stream?: boolean
}

/** What an answer is told under; the same label gives the same names to what has none. */
export interface ResponseLabel {
  /** Of this call alone: the ids that the upstream did not give are made of it. */
  id: string
  /** Unix seconds. */
  created: number
  request: ChatRequest
  /** About how many tokens the prompt is: Anthropic's streams begin with it, before anyone has counted. */
  prompt?: number
}

export interface EventReader {
  /** @param data of one event, as text. */
  read(data: string): StreamEvent[]
  /** What is left to say when the bytes are at their end: nothing, unless the format has no last word of its own. */
  end(): StreamEvent[]
}

export interface EventWriter {
  /** @returns what goes on the wire, nothing while the event must wait for others. */
  write(event: StreamEvent): string
}
