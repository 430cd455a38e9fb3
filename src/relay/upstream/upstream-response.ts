/** What an upstream answered, before anything of it has gone to the caller. */

import type { ReadyChannel } from '../../domain/channels/index.ts'
import type { EventKind, StreamReader, Told } from '../../formats/format.ts'
import type { Listening } from '../../net/upstream-fetch.ts'
import type { Spoken } from '../../providers/index.ts'
import type { EventCutter } from '../../stream/sse.ts'

interface Answered {
  channel: ReadyChannel
  /** The upstream's name for the model. */
  model: string
  /** How it was asked for. */
  spoken: Spoken
  /** Milliseconds from the request to the first event, or to the whole answer. */
  first_ms: number
}

export interface WholeAnswer extends Answered {
  bytes: Uint8Array<ArrayBuffer>
  type: string
  told: Told
}

/** A file of which the first bytes have been seen. */
export interface FileAnswer extends Answered {
  line: AbortController
  source: Listening
  first: Uint8Array
  type: string
  told: Told
}

/** A stream of which the first event has been seen and is no error. */
export interface StreamedAnswer extends Answered {
  line: AbortController
  source: Listening
  cutter: EventCutter
  told: StreamReader
  /** Until it goes on: whoever reads slowly must not keep it for all that time. */
  begun: Begun | undefined
}

/** Whole events that came with the first one; `read` of their bytes are known, the first event being of this kind. */
export interface Begun {
  events: Buffer
  read: number
  kind: EventKind
}

export type Answer = WholeAnswer | StreamedAnswer | FileAnswer

export const isStreamed = (answer: Answer): answer is StreamedAnswer => 'cutter' in answer

export const isFile = (answer: Answer): answer is FileAnswer => 'first' in answer
