/** A call from a caller of one format to an upstream of another. */
import type { Answer, Event, Failure, Request, Usage } from './canonical.ts'
import type { EventKind, Flaw, Json } from './codec.ts'
import type { Dialect, EventReader, EventWriter, Label } from './dialect.ts'
import { fit, fitAnswer, fitEvents } from './fit.ts'
import { replay } from './replay.ts'
import { Tally } from './tally.ts'

export interface Wish {
  /** The upstream's name for the model. */
  model: string
  /** Whether a streamed answer must report its usage, where the upstream can. */
  stream_usage: boolean
  /** Put before what the caller's own system message says. */
  system_prompt: string
}

/** The caller's request as the upstream takes it. */
export function translateRequest(request: Request, upstream: Dialect, wish: Wish): Json | Flaw {
  const { model, stream_usage, system_prompt } = wish
  const system = system_prompt ? [{ kind: 'text', text: system_prompt } as const, ...request.system] : request.system
  const fitted = fit({ ...request, model, wants_usage: stream_usage, system }, upstream.format)
  return 'turns' in fitted ? upstream.writeRequest(fitted) : fitted
}

/** A whole answer for the caller. */
export const translateAnswer = (answer: Answer, caller: Dialect, label: Label): Json =>
  caller.writeAnswer(fitAnswer(answer, caller.format), label)

/** A whole answer for a caller who asked for a stream. */
export function streamAnswer(answer: Answer, caller: Dialect, label: Label): string {
  const writer = caller.writeStream(label)
  const known = fitEvents(caller.format)
  return [...replay(answer)]
    .flatMap(known)
    .map(event => writer.write(event))
    .join('')
}

/** An upstream's stream on its way to the caller. Its end is held back until it is asked for. */
export class TranslatedStream {
  readonly tally: Tally
  error: Failure | undefined
  finished = false
  readonly #reader: EventReader
  readonly #writer: EventWriter
  readonly #fit: (event: Event) => Event[]

  constructor(caller: Dialect, upstream: Dialect, label: Label, options: { keep_text: boolean }) {
    this.tally = new Tally(options.keep_text)
    this.#reader = upstream.readStream()
    this.#writer = caller.writeStream(label)
    this.#fit = fitEvents(caller.format)
  }

  /** @param data of one event, its bytes as Latin-1; `text` is what goes on to the caller. */
  read(data: string): { kind: EventKind; text: string } {
    return this.#take(this.#reader.read(Buffer.from(data, 'latin1').toString('utf8')))
  }

  /** To be asked when the upstream's bytes are at their end. */
  close(): { kind: EventKind; text: string } {
    return this.#take(this.#reader.end())
  }

  /** The last word, to be told when the bill is durable. */
  end(usage: Usage): string {
    return this.#write({ kind: 'usage', usage, doubts: [] }) + this.#write({ kind: 'end' })
  }

  /** The last word of an answer that cannot be completed. */
  fail(failure: Failure): string {
    return this.#write({ kind: 'error', failure })
  }

  #take(events: Event[]): { kind: EventKind; text: string } {
    let text = ''
    for (const event of events) {
      this.tally.add(event)
      if (event.kind === 'error') {
        this.error = event.failure
        return { kind: 'error', text }
      }
      if (event.kind === 'finish') this.finished = true
      if (event.kind === 'end') {
        this.finished = true
        return { kind: 'end', text }
      }
      text += this.#write(event)
    }
    return { kind: 'content', text }
  }

  #write(event: Event): string {
    return this.#fit(event)
      .map(fitted => this.#writer.write(fitted))
      .join('')
  }
}
