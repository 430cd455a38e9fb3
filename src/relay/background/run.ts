/** One response that runs without its client: its answer is read as a client would, and kept. */
import { endBackground, keepEvents } from '../../domain/background-responses/index.ts'
import type { ApiError } from '../../formats/canonical/chat.ts'
import { isObject } from '../../formats/json/checks.ts'
import { readError } from '../../formats/openai-responses/api-error.ts'
import { endOf, renamedEvent, renamedResponse } from '../../formats/openai-responses/background.ts'
import { failedResponse } from '../../formats/openai-responses/write-failure.ts'
import { log, reason } from '../../process/log.ts'
import { type Json, parseObject } from '../../pure/json.ts'
import { dataIn, EventCutter } from '../../stream/sse.ts'
import type { Call } from '../call.ts'
import { unusableResponse } from '../errors/classify-error.ts'
import { explain } from '../errors/explain.ts'
import type { BackgroundTurn } from './turns.ts'

/** Characters of events that are in memory before they are written: of one response, and of all. */
const TAIL_MAX = 16_384
export const TAILS_MAX = 8 * 1_048_576
let in_memory = 0

/** Characters of events that are not written yet. */
export const unwrittenCharacters = (): number => in_memory
/** Most events of a stream end nothing: where events are not kept, they are not parsed, and not even made text. */
const ends = ['response.completed', 'response.incomplete', 'response.failed', 'response.cancelled', 'error']
const mayHoldEnd = (events: Buffer) => ends.some(type => events.includes(`"${type}"`))
const mayEnd = new RegExp(`"type": ?"(?:${ends.join('|')})"`)

interface NewRun {
  id: string
  /** The response as it is in progress. */
  begun: Json
  call: Call
  turn: BackgroundTurn
}

export class BackgroundRun {
  /** Events that are not written yet, from the number `#first` on. */
  #tail: string[] = []
  #tail_length = 0
  #first = 0
  #more = Promise.withResolvers<void>()
  #ended: Json | undefined
  #isAnnounced = false
  readonly id: string

  constructor(private readonly run: NewRun) {
    this.id = run.id
  }

  /** Resolves when there is more to read. */
  get more(): Promise<void> {
    return this.#more.promise
  }

  /** @returns events with higher numbers than `after` that are not written yet; undefined where earlier ones are */
  since(after: number): string[] | undefined {
    return after + 1 < this.#first ? undefined : this.#tail.slice(after + 1 - this.#first)
  }

  /** Tells the client of a stream the id before the turn of its response has come. */
  announce(queued: Json) {
    this.#isAnnounced = true
    for (const type of ['response.created', 'response.queued']) this.#keep({ type, response: queued })
  }

  /** The upstream is given up as by a client that leaves. */
  cancel() {
    this.run.turn.giveUp()
    this.run.call.departure.begin()
  }

  /** Resolves when the end is kept. Never rejects. */
  async follow(responding: Promise<Response>) {
    try {
      await this.#read((await responding).body!)
    } catch (error) {
      this.#fail(explain(error, this.run.call).api_error)
    }
    try {
      await this.#write()
      const ended = this.#ended ?? failedResponse(this.run.begun, this.#brokeOff())
      await endBackground(this.id, endOf(ended) ?? 'failed', ended)
    } catch (error) {
      log.error('background response not kept', { request_id: this.run.call.request_id, reason: reason(error) })
    }
  }

  /** Tells the readers that there is nothing more to wait for, and lets the next response have its turn. */
  end() {
    this.run.turn.end()
    this.#more.resolve()
  }

  /** No event of the upstream tells the end. */
  #fail(error: ApiError) {
    if (this.#ended) return
    this.#ended = failedResponse(this.run.begun, error)
    if (this.#isStreamed) this.#keep({ type: 'response.failed', response: this.#ended })
  }

  #brokeOff = (): ApiError => explain(unusableResponse(), this.run.call).api_error

  async #read(body: ReadableStream<Uint8Array>) {
    const cutter = new EventCutter()
    for await (const chunk of body) {
      const events = cutter.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
      if (events && (this.#isStreamed || mayHoldEnd(events))) for (const data of dataIn(events)) this.#take(data)
      if (this.#tail_length >= TAIL_MAX || in_memory >= TAILS_MAX) await this.#write()
      this.#wakeReaders()
    }
  }

  get #isStreamed(): boolean {
    return this.run.call.facts.background!.is_streamed
  }

  #take(data: string) {
    if (!this.#isStreamed && !mayEnd.test(data)) return
    const event = parseObject(data)
    if (!event) return
    if (this.#isStreamed && !(this.#isAnnounced && event.type === 'response.created')) this.#keep(event)
    if (isObject(event.response) && endOf(event.response)) this.#ended = renamedResponse(event.response, this.id)
    else if (event.type === 'error')
      this.#ended ??= failedResponse(this.run.begun, readError(event) ?? this.#brokeOff())
  }

  #keep(event: Json) {
    const renamed = renamedEvent(event, this.id, this.#first + this.#tail.length)
    const text = `event: ${event.type}\ndata: ${JSON.stringify(renamed)}\n\n`
    this.#tail.push(text)
    this.#tail_length += text.length
    in_memory += text.length
  }

  /** Readers find the events in memory until they are in the database. */
  async #write() {
    const events = this.#tail
    if (!events.length) return
    const isKept = await keepEvents(this.id, this.#first, events).finally(() => {
      in_memory -= this.#tail_length
      this.#first += events.length
      this.#tail = []
      this.#tail_length = 0
    })
    if (!isKept) this.cancel()
  }

  #wakeReaders() {
    this.#more.resolve()
    this.#more = Promise.withResolvers()
  }
}
