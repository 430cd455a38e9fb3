/** Reads an answer as it passes, by the client's own format. */
import { EVENT_MAX_BYTES, RESPONSE_MAX_BYTES } from '../../contracts/relay.ts'
import { isFailure, type PassedUpstream, type ResponseFacts, type StreamReader } from '../../formats/format.ts'
import { asBuffer, dataOf, EventCutter, eventsIn, toBytes } from '../../stream/sse.ts'
import type { ReadCall } from '../call.ts'
import { FILE_FACTS } from '../upstream/upstream-response.ts'

/** What an answer says; `failed` for an error of the format, undefined for what is no answer of it. */
export type ReadAnswer = ResponseFacts | 'failed' | undefined

export interface ReadAlong {
  read(chunk: Uint8Array<ArrayBuffer>): void
  /** What has come by now. */
  answer(): ReadAnswer
  /** All of it, where it is read as a whole. */
  whole?(): Uint8Array
}

const eventStream = /^text\/event-stream/i

export function readAlong({ facts, endpoint }: ReadCall, format: PassedUpstream, { headers }: Response): ReadAlong {
  const type = headers.get('content-type') ?? ''
  if (eventStream.test(type)) return new EventsAlong(newReader(format, facts.choices))
  if (facts.is_file) return { read() {}, answer: () => FILE_FACTS }
  return new WholeAlong(format, endpoint.stream === 'array' ? newReader(format, facts.choices) : undefined)
}

const newReader = (format: PassedUpstream, choices: number) => format.streamReader({ keep_text: false, choices })

class EventsAlong implements ReadAlong {
  readonly #cutter = new EventCutter()
  #hasFailed = false
  #isTooLong = false

  constructor(private readonly reader: StreamReader) {}

  read(chunk: Uint8Array<ArrayBuffer>) {
    if (this.#isTooLong) return
    const events = this.#cutter.push(asBuffer(chunk))
    if (events) this.#readEvents(events)
    this.#isTooLong = this.#cutter.pending > EVENT_MAX_BYTES
  }

  #readEvents(events: Buffer) {
    for (const event of eventsIn(events)) {
      const data = dataOf(event)
      if (data === undefined) continue
      const kind = this.reader.read(this.reader.takeRewritten ? toBytes(data).toString() : data)
      this.#hasFailed ||= isFailure(kind)
    }
  }

  answer(): ReadAnswer {
    const { rest } = this.#cutter
    if (rest.trim()) this.#readEvents(toBytes(`${rest}\n\n`))
    const { output_estimate, usage_report } = this.reader
    return this.#hasFailed && !output_estimate && !usage_report ? 'failed' : this.reader
  }
}

class WholeAlong implements ReadAlong {
  readonly #chunks: Uint8Array[] = []
  #bytes = 0

  /** @param items reads the items of an array that stands for a stream */
  constructor(
    private readonly format: PassedUpstream,
    private readonly items: StreamReader | undefined,
  ) {}

  read(chunk: Uint8Array<ArrayBuffer>) {
    this.#bytes += chunk.byteLength
    if (this.#bytes <= RESPONSE_MAX_BYTES) this.#chunks.push(chunk)
  }

  whole = () => Buffer.concat(this.#chunks)

  answer(): ReadAnswer {
    if (this.#bytes > RESPONSE_MAX_BYTES) return undefined
    const body = parsed(this.whole().toString())
    if (this.items && Array.isArray(body)) {
      for (const item of body) this.items.read(toLatin1(JSON.stringify(item)))
      return this.items
    }
    if (this.format.readError(body)) return 'failed'
    return this.format.responseFacts(body)
  }
}

/** Readers take the bytes of an event as Latin-1. */
const toLatin1 = (text: string) => Buffer.from(text).toString('latin1')

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
