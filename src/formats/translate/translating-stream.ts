/** A stream of an upstream, rewritten event by event into the client's format. */
import type { ApiError, StreamEvent } from '../canonical/chat.ts'
import type { EventKind, EventReader, MeteredUsage, ReadOptions, StreamReader } from '../format.ts'
import type { FormatPair } from './format-pair.ts'
import { Tally } from './tally.ts'
import { eventWriter } from './translate.ts'

/** Holds its last events back until `end`. */
export class TranslatingStream extends Tally implements StreamReader {
  readonly #reader: EventReader
  readonly #write: (event: StreamEvent) => string
  #rewritten = ''

  constructor(
    readonly pair: FormatPair,
    { keep_text }: ReadOptions,
  ) {
    super(keep_text)
    this.#reader = pair.upstream.readStream()
    this.#write = eventWriter(pair)
  }

  read(data: string): EventKind {
    return this.#pass(this.#reader.read(data))
  }

  takeRewritten(): string {
    const rewritten = this.#rewritten
    this.#rewritten = ''
    return rewritten
  }

  end({ usage }: Pick<MeteredUsage, 'usage'>): string {
    this.#pass(this.#reader.end())
    return this.#rewritten + this.#write({ kind: 'usage', usage, doubts: [] }) + this.#write({ kind: 'end' })
  }

  fail(failure: ApiError): string {
    return this.#write({ kind: 'error', failure })
  }

  #pass(events: StreamEvent[]): EventKind {
    for (const event of events) {
      const ending = this.add(event)
      if (ending) return ending
      this.#rewritten += this.#write(event)
    }
    return 'content'
  }
}
