/** A format that callers and upstreams both speak: its own words go on between them, and are read along on the way. */
import { tokensIn } from '../../pure/estimate-tokens.ts'
import type { Json } from '../../pure/json.ts'
import type { Request } from '../canonical/chat.ts'
import type { Dialect, EventReader } from '../dialect.ts'
import { estimate, promptText } from '../estimate.ts'
import type { ClientCodec, EventKind, ReadOptions, StreamReader, Told, UpstreamCodec } from '../format.ts'
import type { Flaw } from '../json/checks.ts'
import { decoded } from '../json/lenient-json.ts'
import { textsIn } from '../json/texts.ts'
import { stopFlaw } from './stop.ts'
import { HeardStream } from './stream-meter.ts'
import { meter, toldOf } from './tally.ts'
import { streamAnswer } from './translate.ts'

interface Own extends Pick<ClientCodec, 'readAsk' | 'writeErrorFrame'>, Pick<UpstreamCodec, 'forward' | 'adapt'> {
  /** The last word; absent where the format has none. */
  last?: string
}

export const passing = (dialect: Dialect, { last, ...own }: Own): ClientCodec & UpstreamCodec => ({
  dialect,
  ...own,
  promptTokens: body => ofRequest(dialect, body, estimate, texts => tokensIn(texts.join('\n'))),
  promptText: body => ofRequest(dialect, body, promptText, texts => texts.join('\n')),
  readAnswer: body => readAnswer(dialect, body),
  readStream: options => new Tap(dialect, last, options),
  asStream: answer => asStream(dialect, answer),
  meter,
  readError: (body, status = 0) => dialect.readError(body, status),
})

/** What nobody here knows yet may still be known to its upstream: then all its words are taken together. */
function ofRequest<T>(dialect: Dialect, body: Json, read: (request: Request) => T, guess: (texts: string[]) => T): T {
  const request = requestOf(dialect, body)
  return 'turns' in request ? read(request) : guess(textsIn(body))
}

/** @param body with the model and the wish for a stream in it, where its format has these in the address */
export function requestOf(dialect: Dialect, body: Json): Request | Flaw {
  const request = dialect.readRequest(body, { model: String(body.model), stream: body.stream === true })
  return ('turns' in request && stopFlaw(request)) || request
}

function readAnswer(dialect: Dialect, body: unknown): Told | undefined {
  const answer = dialect.readAnswer(body)
  return answer && toldOf(answer)
}

/** What was asked is not known here; all that an answer tells of it is an echo. */
function asStream(dialect: Dialect, body: Json): string {
  const answer = dialect.readAnswer(body)!
  const label = { id: answer.id, created: answer.created ?? 0, request: nothing(answer.model) }
  return streamAnswer({ caller: dialect, upstream: dialect, label }, answer)
}

const nothing = (model: string): Request => ({
  ...{ model, stream: true, wants_usage: true },
  ...{ system: [], turns: [], tools: [], sampling: {}, stop: [], extra: {} },
})

/** Reads a stream along in its own format. */
class Tap extends HeardStream implements StreamReader {
  readonly #events: EventReader
  #said_last = false

  constructor(
    dialect: Dialect,
    private readonly last: string | undefined,
    { keep_text }: ReadOptions,
  ) {
    super(keep_text)
    this.#events = dialect.readStream()
  }

  read(data: string): EventKind {
    for (const event of this.#events.read(decoded(data))) {
      const ending = this.hear(event)
      if (ending === 'end') this.#said_last = true
      if (ending) return ending
    }
    return this.finished && this.last === undefined ? 'finish' : 'content'
  }

  end = () => (this.#said_last ? '' : (this.last ?? ''))
}
