/** An upstream's stream on its way to a caller of another format: each event is told in the caller's words as it comes. */
import type { ApiError, StreamEvent } from '../canonical/chat.ts'
import type { EventReader } from '../dialect.ts'
import type { EventKind, MeteredUsage, ReadOptions, StreamReader } from '../format.ts'
import type { Route } from './route.ts'
import { StreamMeter } from './stream-meter.ts'
import { eventWriter } from './translate.ts'

/** Its end is held back until it is asked for. */
export class TranslatingStream extends StreamMeter implements StreamReader {
  readonly #reader: EventReader
  readonly #tell: (event: StreamEvent) => string
  #told = ''

  constructor(route: Route, options: ReadOptions) {
    super(options.keep_text)
    this.#reader = route.upstream.readStream()
    this.#tell = eventWriter(route)
  }

  read(data: string): EventKind {
    return this.#pass(this.#reader.read(data))
  }

  takeRewritten(): string {
    const told = this.#told
    this.#told = ''
    return told
  }

  end({ usage }: Pick<MeteredUsage, 'usage'>): string {
    this.#pass(this.#reader.end())
    return this.#told + this.#tell({ kind: 'usage', usage, doubts: [] }) + this.#tell({ kind: 'end' })
  }

  fail = (failure: ApiError): string => this.#tell({ kind: 'error', failure })

  #pass(events: StreamEvent[]): EventKind {
    for (const event of events) {
      const ending = this.hear(event)
      if (ending) return ending
      this.#told += this.#tell(event)
    }
    return 'content'
  }
}
