/** A chat format that clients and upstreams share: bodies pass unchanged, and the canonical readers read along. */
import type { Usage } from '../../billing/usage.ts'
import type { Json } from '../../pure/json.ts'
import type { ChatRequest, StreamEvent } from '../canonical/chat.ts'
import { countablePrompt } from '../countable.ts'
import { estimateOf, plainPrompt, promptText, unreadPrompt, wholePrompt } from '../estimate.ts'
import type {
  ChatClientFormat,
  ChatFormat,
  EventKind,
  EventReader,
  MeteredUsage,
  ReadOptions,
  StreamReader,
} from '../format.ts'
import type { Flaw } from '../json/checks.ts'
import { decoded } from '../json/lenient-json.ts'
import { withNestedLimits } from '../json/nested-limits.ts'
import { textsIn } from '../json/texts.ts'
import type { MadeObject } from '../stored-places.ts'
import { nestedFlaw } from './nested-json.ts'
import { stopFlaw } from './stop.ts'
import { meter, Tally, WholeFacts } from './tally.ts'
import { streamResponse } from './translate.ts'

type DerivedMember =
  | 'promptTokens'
  | 'promptParts'
  | 'countablePrompt'
  | 'promptText'
  | 'responseFacts'
  | 'streamReader'
  | 'toStream'
  | 'meter'

/** What a chat format declares itself; the rest follows from its readers and writers. */
interface ChatDeclaration
  extends Omit<ChatFormat, DerivedMember>,
    Pick<Partial<ChatFormat>, 'toStream' | 'countablePrompt'> {
  stream_end?: StreamEnd
  /** @returns what a whole response names as made for it. @param is_stored the upstream keeps its items */
  madeIn?(response: Json, is_stored: boolean): readonly MadeObject[]
  /** Spares the estimate of a prompt the canonical form. @returns the text of each message, undefined for a request with more */
  plainTexts?(body: Json): string[] | undefined
}

/** How the streams of a format end, when their last event can be sent again. */
interface StreamEnd {
  last: string
  /** For formats whose clients choose whether a stream reports its usage, in an event of its own. */
  report?: {
    isReport(data: string): boolean
    /** @param first data of the first event */
    write(first: string, usage: Usage): string
  }
}

export function passthrough({ stream_end, plainTexts, madeIn, ...declared }: ChatDeclaration): ChatFormat {
  const format: ChatFormat = {
    promptTokens: (body, read) => estimateOf(format.promptParts!(body, read)),
    promptParts(body, read = () => requestOf(format, body)) {
      const plain = plainTexts?.(body)
      if (plain) return plainPrompt(plain)
      const request = read()
      return 'messages' in request ? wholePrompt(body, request) : unreadPrompt(body)
    },
    countablePrompt: (body, model) =>
      ofRequest(
        requestOf(format, body),
        body,
        request => countablePrompt(request, model),
        texts => ({ texts, tokens: 0 }),
      ),
    promptText: body => ofRequest(requestOf(format, body), body, promptText, texts => texts.join('\n')),
    responseFacts(body) {
      const response = format.readResponse(body)
      if (!response) return undefined
      const facts = new WholeFacts(response)
      return madeIn ? Object.assign(facts, { made: (is_stored: boolean) => madeIn(body as Json, is_stored) }) : facts
    },
    streamReader: options => new PassingStream(format.readStream(), stream_end, options),
    toStream: body => toStream(format, body),
    meter,
    ...declared,
    readFacts: body => withNestedLimits(declared.readFacts(body), body),
  }
  return format
}

/** Requests that the canonical form does not know may still be known to the upstream: all their texts count. */
function ofRequest<T>(
  request: ChatRequest | Flaw,
  body: Json,
  read: (request: ChatRequest) => T,
  guess: (texts: string[]) => T,
): T {
  return 'messages' in request ? read(request) : guess(textsIn(body))
}

/** Reads a body into the canonical form. @param body has `model` and `stream` even if the format has them in the URL */
export function requestOf(format: ChatClientFormat, body: Json): ChatRequest | Flaw {
  const request = format.readRequest(body, { model: String(body.model), stream: body.stream === true })
  return ('messages' in request && (stopFlaw(request) ?? nestedFlaw(request))) || request
}

/** The request is not known here; of it, a response repeats only the model. */
function toStream(format: ChatFormat, body: Json): string {
  const response = format.readResponse(body)!
  const request: ChatRequest = {
    ...{ model: response.model, stream: true, wants_usage: true },
    ...{ system: [], messages: [], tools: [], sampling: {}, stop: [], extra: {} },
  }
  const label = { id: response.id, created: response.created ?? 0, request }
  return streamResponse({ client: format, upstream: format, label }, response)
}

/** Reads a stream that passes unchanged. */
class PassingStream extends Tally implements StreamReader {
  failure_words: Json | undefined
  #has_ended = false
  #first: string | undefined

  constructor(
    private readonly events: EventReader,
    private readonly ending: StreamEnd | undefined,
    { keep_text }: ReadOptions,
  ) {
    super(keep_text)
  }

  skim(bytes: Buffer): number {
    if (!this.events.skim || this.finished) return 0
    const text = bytes.toString()
    const is_ascii = text.length === bytes.length
    // With invalid UTF-8, positions in the text are not those in the bytes.
    if (!is_ascii && Buffer.byteLength(text) !== bytes.length) return 0
    let from = 0
    for (let end = text.indexOf(EVENT_END); end >= 0; end = text.indexOf(EVENT_END, from)) {
      const line = text.startsWith(NAME, from) ? text.indexOf('\n', from) + 1 : from
      if (!text.startsWith(DATA, line)) break
      const delta = this.events.skim(text, line + DATA.length, end)
      if (!delta) break
      this.add(delta)
      from = end + EVENT_END.length
    }
    return is_ascii ? from : Buffer.byteLength(text.slice(0, from))
  }

  read(data: string): EventKind {
    const text = decoded(data)
    const events = this.events.read(text)
    for (const event of events) {
      const ending = this.add(event)
      if (ending === 'end') this.#has_ended = true
      if (ending) return ending === 'error' ? this.#fail(event) : ending
    }
    this.#first ??= text
    if (events.every(isNoContent) && this.ending?.report?.isReport(text)) return 'usage'
    return this.finished && !this.ending ? 'finish' : 'content'
  }

  #fail(event: StreamEvent): EventKind {
    const frame = event.kind === 'error' && event.frame
    if (!frame) return 'error'
    this.failure_words = frame.words
    return frame.is_last ? 'failed' : 'failing'
  }

  get fail() {
    return this.events.fail
  }

  made(is_stored: boolean): readonly MadeObject[] {
    return this.events.made?.(is_stored) ?? []
  }

  end({ usage }: MeteredUsage, wants_usage: boolean): string {
    const { last = '', report } = this.ending ?? {}
    const missing = wants_usage && !this.usage_report && report ? report.write(this.#first ?? '', usage) : ''
    return missing + (this.#has_ended ? '' : last)
  }
}

const [EVENT_END, NAME, DATA] = ['\n\n', 'event: ', 'data: ']

const isNoContent = ({ kind }: StreamEvent) => kind === 'start' || kind === 'usage'
