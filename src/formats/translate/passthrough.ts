/** A format that callers and upstreams both speak: its own words go on between them, and are read along on the way. */
import { estimateTokens } from '../../pure/estimate-tokens.ts'
import type { Json } from '../../pure/json.ts'
import type { ChatRequest } from '../canonical/chat.ts'
import type { Dialect, EventReader } from '../dialect.ts'
import { estimate, promptText } from '../estimate.ts'
import type { ClientFormat, EventKind, ReadOptions, ResponseFacts, StreamReader, UpstreamFormat } from '../format.ts'
import type { Flaw } from '../json/checks.ts'
import { decoded } from '../json/lenient-json.ts'
import { textsIn } from '../json/texts.ts'
import { stopFlaw } from './stop.ts'
import { StreamMeter } from './stream-meter.ts'
import { meter, responseFactsOf } from './tally.ts'
import { streamResponse } from './translate.ts'

interface Own
  extends Pick<ClientFormat, 'readFacts' | 'writeErrorFrame'>,
    Pick<UpstreamFormat, 'forward' | 'applyModelSettings'> {
  /** The last word; absent where the format has none. */
  last?: string
}

export const passthrough = (dialect: Dialect, { last, ...own }: Own): ClientFormat & UpstreamFormat => ({
  dialect,
  ...own,
  promptTokens: (body, read = () => requestOf(dialect, body)) =>
    ofRequest(read(), body, estimate, texts => estimateTokens(texts.join('\n'))),
  promptText: body => ofRequest(requestOf(dialect, body), body, promptText, texts => texts.join('\n')),
  readResponse: body => readResponse(dialect, body),
  readStream: options => new Tap(dialect, last, options),
  toStream: answer => toStream(dialect, answer),
  meter,
  readError: (body, status = 0) => dialect.readError(body, status),
})

/** What nobody here knows yet may still be known to its upstream: then all its words are taken together. */
function ofRequest<T>(
  request: ChatRequest | Flaw,
  body: Json,
  read: (request: ChatRequest) => T,
  guess: (texts: string[]) => T,
): T {
  return 'messages' in request ? read(request) : guess(textsIn(body))
}

/** @param body with the model and the wish for a stream in it, where its format has these in the address */
export function requestOf(dialect: Dialect, body: Json): ChatRequest | Flaw {
  const request = dialect.readRequest(body, { model: String(body.model), stream: body.stream === true })
  return ('messages' in request && stopFlaw(request)) || request
}

function readResponse(dialect: Dialect, body: unknown): ResponseFacts | undefined {
  const answer = dialect.readResponse(body)
  return answer && responseFactsOf(answer)
}

/** What was asked is not known here; all that an answer tells of it is an echo. */
function toStream(dialect: Dialect, body: Json): string {
  const answer = dialect.readResponse(body)!
  const label = { id: answer.id, created: answer.created ?? 0, request: nothing(answer.model) }
  return streamResponse({ caller: dialect, upstream: dialect, label }, answer)
}

const nothing = (model: string): ChatRequest => ({
  ...{ model, stream: true, wants_usage: true },
  ...{ system: [], messages: [], tools: [], sampling: {}, stop: [], extra: {} },
})

/** Reads a stream along in its own format. */
class Tap extends StreamMeter implements StreamReader {
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
