/** OpenAI completions: responses, whole and streamed. https://platform.openai.com/docs/api-reference/completions/object (read 2026-11) */
import { type Json, parsedOrUndefined } from '../../pure/json.ts'
import type { ApiError } from '../canonical/chat.ts'
import type { Countable, EventKind, MeteredUsage, ReadOptions, ResponseFacts, StreamReader } from '../format.ts'
import { countableTexts, GrowingText } from '../growing-text.ts'
import { isObject } from '../json/checks.ts'
import { choiceOf, decoded, objectOf, textOf } from '../json/lenient-json.ts'
import { readError } from '../openai-chat/api-error.ts'
import { LAST_EVENT, usageEvent } from '../openai-chat/usage.ts'

const DONE = '[DONE]'

export function responseFacts(body: unknown): ResponseFacts | undefined {
  const { choices, usage, model } = objectOf(body)
  if (!Array.isArray(choices)) return undefined
  const texts = choices.map(textIn)
  const count = () => {
    const counts = new ChoiceCounts()
    for (const [index, text] of texts.entries()) counts.add(index, text)
    return counts
  }
  return {
    usage_report: isObject(usage) ? usage : undefined,
    get output_estimate() {
      return count().tokens
    },
    get countable_output() {
      return count().countable
    },
    text: texts.join('\n'),
    model: textOf(model) || undefined,
  }
}

const textIn = (choice: unknown): string => textOf(objectOf(choice).text)

/** Counts each choice as the joined text of its pieces, so that whole and streamed responses have the same count. */
class ChoiceCounts {
  readonly #choices = new Map<number, GrowingText>()

  get tokens(): number {
    let tokens = 0
    for (const choice of this.#choices.values()) tokens += choice.tokens
    return this.#choices.size ? Math.max(1, tokens) : 0
  }

  get countable(): Countable {
    return countableTexts([...this.#choices.values()])
  }

  add(index: number, text: string) {
    if (!text) return
    const choice = this.#choices.get(index) ?? new GrowingText()
    this.#choices.set(index, choice)
    choice.add(text)
  }
}

export class CompletionReader implements StreamReader {
  finished = false
  usage_report: Json | undefined
  error: ApiError | undefined
  text = ''
  model: string | undefined
  #first: string | undefined
  #has_ended = false
  readonly #counts = new ChoiceCounts()

  constructor(private readonly options: ReadOptions) {}

  get output_estimate(): number {
    return this.#counts.tokens
  }

  get countable_output(): Countable {
    return this.#counts.countable
  }

  read(data: string): EventKind {
    if (data === DONE) {
      this.finished = this.#has_ended = true
      return 'end'
    }
    const text = decoded(data)
    const event = parsedOrUndefined(text)
    if (!isObject(event)) return 'broken'
    const choices = Array.isArray(event.choices) ? event.choices : []
    this.error = event.error || !('choices' in event) ? readError(event) : undefined
    if (this.error) return 'error'
    this.#first ??= text
    this.model ??= textOf(event.model) || undefined
    for (const choice of choices) this.#readChoice(objectOf(choice))
    if (!isObject(event.usage)) return 'content'
    this.usage_report = event.usage
    return choices.length ? 'content' : 'usage'
  }

  #readChoice(choice: Json) {
    const text = textIn(choice)
    this.#counts.add(choiceOf(choice.index), text)
    if (this.options.keep_text) this.text += text
    if (typeof choice.finish_reason === 'string') this.finished = true
  }

  end({ usage }: MeteredUsage, wants_usage: boolean): string {
    const report = wants_usage && !this.usage_report ? usageEvent.write(this.#first ?? '', usage) : ''
    return report + (this.#has_ended ? '' : LAST_EVENT)
  }
}
