/**
 * Reads responses of POST /v1/completions, whole and streamed.
 * https://platform.openai.com/docs/api-reference/completions (read 2026-11)
 */
import { estimateTokens } from '../../pure/estimate-tokens.ts'
import type { Json } from '../../pure/json.ts'
import type { EventKind, MeteredUsage, ReadOptions, ResponseFacts, StreamReader, UpstreamError } from '../format.ts'
import { isObject } from '../json/checks.ts'
import { decoded, parsed } from '../json/lenient-json.ts'
import { readError } from '../openai-chat/error.ts'
import { writeReport } from '../openai-chat/usage.ts'

const DONE = '[DONE]'

export function readResponse(body: unknown): ResponseFacts | undefined {
  const { choices, usage } = (body ?? {}) as Json
  if (!Array.isArray(choices)) return undefined
  const texts = choices.map(textOf)
  return {
    usage_report: isObject(usage) ? usage : undefined,
    get output_estimate() {
      return texts.reduce((sum, text) => sum + estimateTokens(text), 0)
    },
    text: texts.join('\n'),
  }
}

const textOf = (choice: unknown): string => (isObject(choice) && typeof choice.text === 'string' ? choice.text : '')

export class CompletionReader implements StreamReader {
  output_estimate = 0
  finished = false
  usage_report: Json | undefined
  error: UpstreamError | undefined
  text = ''
  #first: Json | undefined
  #done = false

  constructor(private readonly options: ReadOptions) {}

  read(data: string): EventKind {
    if (data === DONE) {
      this.finished = this.#done = true
      return 'end'
    }
    const event = parsed(decoded(data))
    if (!isObject(event)) return 'broken'
    const choices = Array.isArray(event.choices) ? event.choices : []
    this.error = event.error || !('choices' in event) ? readError(event) : undefined
    if (this.error) return 'error'
    this.#first ??= event
    for (const choice of choices) this.#readChoice(choice)
    if (!isObject(event.usage)) return 'content'
    this.usage_report = event.usage
    return choices.length ? 'content' : 'usage'
  }

  #readChoice(choice: unknown) {
    const text = textOf(choice)
    if (text) this.output_estimate += Math.max(1, estimateTokens(text))
    if (this.options.keep_text) this.text += text
    if (isObject(choice) && typeof choice.finish_reason === 'string') this.finished = true
  }

  end({ usage }: MeteredUsage, wants_usage: boolean): string {
    const report = wants_usage && !this.usage_report ? writeReport(this.#first, usage) : ''
    return report + (this.#done ? '' : `data: ${DONE}\n\n`)
  }
}
