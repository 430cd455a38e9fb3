/** A stream in the canonical form, heard event by event: what it has told so far, and how it ends. */

import { kindOf } from '../canonical/api-error.ts'
import type { ApiError, StreamEvent } from '../canonical/chat.ts'
import type { ResponseFacts } from '../format.ts'
import { Tally } from './tally.ts'

export class StreamMeter implements ResponseFacts {
  finished = false
  error: ApiError | undefined
  readonly #tally: Tally

  constructor(keep_text: boolean) {
    this.#tally = new Tally(keep_text)
  }

  get output_estimate() {
    return this.#tally.produced
  }
  get text() {
    return this.#tally.text
  }
  get usage_report() {
    return this.#tally.report
  }

  /** @returns how the stream ends with this event, where it does. */
  protected hear(event: StreamEvent): 'end' | 'error' | 'broken' | undefined {
    this.#tally.add(event)
    if (event.kind === 'finish' || event.kind === 'end') this.finished = true
    if (event.kind === 'end') return 'end'
    if (event.kind !== 'error') return undefined
    this.error = event.failure
    return kindOf(event.failure)
  }
}
