/** An upstream's stream on its way to a caller of another format: each event is told in the caller's words as it comes. */
import type { Event, Failure } from '../canonical/chat.ts'
import type { EventReader } from '../dialect.ts'
import type { EventKind, Metered, ReadOptions, StreamReader } from '../format.ts'
import type { Route } from './route.ts'
import { HeardStream } from './stream-meter.ts'
import { teller } from './translate.ts'

/** Its end is held back until it is asked for. */
export class TranslatedStream extends HeardStream implements StreamReader {
  readonly #reader: EventReader
  readonly #tell: (event: Event) => string
  #told = ''

  constructor(route: Route, options: ReadOptions) {
    super(options.keep_text)
    this.#reader = route.upstream.readStream()
    this.#tell = teller(route)
  }

  read(data: string): EventKind {
    return this.#pass(this.#reader.read(data))
  }

  retell(): string {
    const told = this.#told
    this.#told = ''
    return told
  }

  end({ usage }: Pick<Metered, 'usage'>): string {
    this.#pass(this.#reader.end())
    return this.#told + this.#tell({ kind: 'usage', usage, doubts: [] }) + this.#tell({ kind: 'end' })
  }

  fail = (failure: Failure): string => this.#tell({ kind: 'error', failure })

  #pass(events: Event[]): EventKind {
    for (const event of events) {
      const ending = this.hear(event)
      if (ending) return ending
      this.#told += this.#tell(event)
    }
    return 'content'
  }
}
