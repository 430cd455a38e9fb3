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
  /** @returns the text in an event that completes nothing; absent when the output is no text */
  piece?(event: Json): string
  /** Units of an output that is no text, as soon as one event shows that they are made; 1 for any event by default. */
  units?(event: Json, choices: number): number
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
    const completes = this.types.completes(event.type)
    if (!completes && this.types.piece) this.#add(this.types.piece(event))
    else if (!this.output_estimate) this.#units = this.#unitsIn(event) || Number(completes)
    if (!completes) return 'content'
    if (isObject(event.usage)) this.usage_report = event.usage
    if (--this.#missing > 0) return 'content'
    this.finished = true
    return 'end'
  }

  #unitsIn(event: Json): number {
    const { units = () => 1 } = this.types
    return units(event, this.options.choices ?? 1)
  }

  #add(piece: string) {
    this.#text.add(piece)
    if (this.options.keep_text) this.text += piece
  }

  /** The usage stands in the upstream's own last event. */
  end = () => ''
}
