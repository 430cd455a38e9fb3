/** A stream of an upstream that has no whole responses, gathered into one in the client's format. */
import { Assembly } from '../canonical/assemble.ts'
import type { ApiError, StreamEvent } from '../canonical/chat.ts'
import type { EventKind, EventReader, ResponseFacts, StreamGathering } from '../format.ts'
import type { FormatPair } from './format-pair.ts'
import { Tally, WholeFacts } from './tally.ts'
import { translateResponse } from './translate.ts'

export class GatheredStream implements StreamGathering {
  readonly #reader: EventReader
  readonly #assembly = new Assembly()
  /** Knows how the stream ends. */
  readonly #tally = new Tally(false)

  constructor(private readonly pair: FormatPair) {
    this.#reader = pair.upstream.readStream()
  }

  get error(): ApiError | undefined {
    return this.#tally.error
  }

  get so_far(): ResponseFacts {
    return this.#tally
  }

  read(data: string): EventKind {
    return this.#add(this.#reader.read(data))
  }

  facts(): ResponseFacts | undefined {
    this.#add(this.#reader.end())
    if (!this.#tally.finished) return undefined
    const { response } = this.#assembly
    const facts = new WholeFacts(response, translateResponse(this.pair, response))
    return Object.assign(facts, { made: (is_stored: boolean) => this.#reader.made?.(is_stored) ?? [] })
  }

  #add(events: StreamEvent[]): EventKind {
    for (const event of events) {
      this.#assembly.add(event)
      const ending = this.#tally.add(event)
      if (ending) return ending
    }
    return 'content'
  }
}
