/** An upstream of another format, as if it spoke its caller's: for one attempt. */
import type { Failure } from './canonical.ts'
import { isFlaw } from './checks.ts'
import type { EventKind, Flaw, Json, Metered, Pivot, ReadOptions, StreamReader, UpstreamCodec } from './codec.ts'
import { meter, toldOf } from './tally.ts'
import { type Route, TranslatedStream, translateAnswer, translateRequest } from './translate.ts'

/** The request has something in it that the upstream's format cannot say, and that must not be left out. */
export class Unsayable extends Error {
  constructor(readonly flaw: Flaw) {
    super(flaw.code)
  }
}

export function translating(route: Route, upstream: UpstreamCodec): UpstreamCodec {
  return {
    /** @throws Unsayable */
    forward(_, edit) {
      const body = translateRequest(route, edit)
      if (isFlaw(body)) throw new Unsayable(body)
      return body
    },
    adapt: upstream.adapt,
    readAnswer(body) {
      const answer = route.upstream.readAnswer(body)
      return answer && toldOf(answer, translateAnswer(route, answer))
    },
    readStream: options => new Retelling(route, options),
    meter,
    readError: (body, status = 0) => route.upstream.readError(body, status),
    asStream: upstream.asStream,
  }
}

/** For whole answers. */
export const pivoting = (pivot: Pivot, upstream: UpstreamCodec): UpstreamCodec => ({
  ...upstream,
  readAnswer(body) {
    const told = upstream.readAnswer(body)
    return told && { ...told, retold: pivot.tell(body as Json) }
  },
})

/** Tells each event of a stream in the caller's words as it comes. */
class Retelling implements StreamReader {
  readonly #stream: TranslatedStream
  #told = ''

  constructor(route: Route, options: ReadOptions) {
    this.#stream = new TranslatedStream(route, options)
  }

  get produced() {
    return this.#stream.tally.produced
  }
  get text() {
    return this.#stream.tally.text
  }
  get report() {
    return this.#stream.tally.report
  }
  get finished() {
    return this.#stream.finished
  }
  get error() {
    return this.#stream.error
  }

  read(data: string): EventKind {
    const { kind, text } = this.#stream.read(data)
    this.#told += text
    return kind
  }

  retell(): string {
    const told = this.#told
    this.#told = ''
    return told
  }

  end = ({ usage }: Metered) => this.#stream.close().text + this.#stream.end(usage)

  fail = (failure: Failure) => this.#stream.fail(failure)
}
