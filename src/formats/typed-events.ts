/** Streams whose events name their type, and whose last one holds the report: pictures, speech, transcripts. */
import { estimateTokens } from '../pure/estimate-tokens.ts'
import type { Json } from '../pure/json.ts'
import type { EventKind, ReadOptions, StreamReader, UpstreamError } from './format.ts'
import { isObject } from './json/checks.ts'
import { decoded, objectOf, parsed } from './json/lenient-json.ts'
import { readError } from './openai-chat/error.ts'

interface Form {
  /** Whether an event of this type completes an answer. */
  completes(type: string): boolean
  /** What an event that completes nothing has produced: text, or how much of anything else. */
  piece(event: Json): string | number
}

export class TypedEventReader implements StreamReader {
  output_estimate = 0
  finished = false
  usage_report: Json | undefined
  error: UpstreamError | undefined
  text = ''
  /** Answers that are still to come. */
  #missing: number

  constructor(
    private readonly form: Form,
    private readonly options: ReadOptions,
  ) {
    this.#missing = options.choices ?? 1
  }

  read(data: string): EventKind {
    const event = objectOf(parsed(decoded(data)))
    if (typeof event.type !== 'string' || event.type === 'error') {
      this.error = readError(event)
      return this.error ? 'error' : 'broken'
    }
    if (!this.form.completes(event.type)) {
      this.#add(this.form.piece(event))
      return 'content'
    }
    if (isObject(event.usage)) this.usage_report = event.usage
    this.output_estimate ||= 1
    if (--this.#missing > 0) return 'content'
    this.finished = true
    return 'end'
  }

  #add(piece: string | number) {
    this.output_estimate += typeof piece === 'number' ? piece : estimateTokens(piece)
    if (this.options.keep_text && typeof piece === 'string') this.text += piece
  }

  /** What was used stands in the last event, where it is told at all. */
  end = () => ''
}
