/** Streams whose events name their type and whose last event has the usage: images, speech, transcriptions. */
import { TokenCounter } from '../pure/estimate-tokens.ts'
import { type Json, parsedOrUndefined } from '../pure/json.ts'
import type { ApiError } from './canonical/chat.ts'
import type { EventKind, ReadOptions, StreamReader } from './format.ts'
import { isObject } from './json/checks.ts'
import { decoded, objectOf } from './json/lenient-json.ts'
import { readError } from './openai-chat/api-error.ts'

interface EventTypes {
  /** Whether an event of this type completes a response. */
  completes(type: string): boolean
  /** @returns the output in an event that completes nothing: a text, or units of anything else */
  piece(event: Json): string | number
}

export class TypedEventReader implements StreamReader {
  finished = false
  usage_report: Json | undefined
  error: ApiError | undefined
  text = ''
  /** Responses that are still missing. */
  #missing: number
  #units = 0
  readonly #text = new TokenCounter()

  constructor(
    private readonly types: EventTypes,
    private readonly options: ReadOptions,
  ) {
    this.#missing = options.choices ?? 1
  }

  get output_estimate(): number {
    return this.#units + this.#text.tokens
  }

  read(data: string): EventKind {
    const event = objectOf(parsedOrUndefined(decoded(data)))
    if (typeof event.type !== 'string' || event.type === 'error') {
      this.error = readError(event)
      return this.error ? 'error' : 'broken'
    }
    if (!this.types.completes(event.type)) {
      this.#add(this.types.piece(event))
      return 'content'
    }
    if (isObject(event.usage)) this.usage_report = event.usage
    if (!this.output_estimate) this.#units = 1
    if (--this.#missing > 0) return 'content'
    this.finished = true
    return 'end'
  }

  #add(piece: string | number) {
    if (typeof piece === 'number') {
      this.#units += piece
      return
    }
    this.#text.add(piece)
    if (this.options.keep_text) this.text += piece
  }

  /** The usage stands in the upstream's own last event. */
  end = () => ''
}
