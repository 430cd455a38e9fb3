/** OpenAI chat completions. https://platform.openai.com/docs/api-reference/chat-streaming (read 2026-11) */
import { isObject, type Json, type Rules, type StreamGrammar, type WireEvent } from './rules.ts'

export const openAiChatGrammar = (rules: Rules): StreamGrammar => new ChatGrammar(rules)

const finishReasons = ['stop', 'length', 'tool_calls', 'content_filter', 'function_call']

class ChatGrammar implements StreamGrammar {
  #phase: 'choices' | 'usage' | 'failed' | 'over' = 'choices'
  #head: unknown
  readonly #choices = new Map<number, ChoiceGrammar>()

  constructor(private readonly rules: Rules) {}

  read({ name, data, body }: WireEvent) {
    const { rules } = this
    rules.same(name, undefined, 'the name of the event')
    if (!rules.holds(this.#phase !== 'over', 'an event comes after the end')) return
    if (data === '[DONE]') return this.#done()
    rules.holds(this.#phase === 'choices', `a chunk comes in phase ${this.#phase}`)
    if (body!.error) return this.#error(body!.error)
    this.#chunk(body!)
  }

  #chunk({ id, object, created, model, choices, usage }: Json) {
    const { rules } = this
    rules.same(object, 'chat.completion.chunk', 'object')
    rules.text(id, 'id')
    rules.text(model, 'model')
    rules.count(created, 'created')
    this.#head ??= { id, created, model }
    rules.same({ id, created, model }, this.#head, 'the head')
    if (!rules.holds(Array.isArray(choices), 'choices is no list')) return
    if (!choices.length) return this.#usage(usage)
    rules.holds(usage === undefined || usage === null, 'usage beside choices')
    for (const choice of choices) this.#choice(choice)
  }

  #choice(choice: Json) {
    this.rules.count(choice.index, 'index')
    const known = this.#choices.get(choice.index) ?? new ChoiceGrammar(this.rules)
    this.#choices.set(choice.index, known)
    known.read(choice)
  }

  #usage(usage: unknown) {
    const { rules } = this
    this.#phase = 'usage'
    rules.holds(this.#hasFinished, 'usage before every choice has finished')
    const shape = { prompt_tokens: 'number', completion_tokens: 'number', total_tokens: 'number' }
    if (!rules.shape(usage, shape, 'usage')) return
    rules.same(usage.total_tokens, usage.prompt_tokens + usage.completion_tokens, 'total_tokens')
  }

  get #hasFinished(): boolean {
    return this.#choices.size > 0 && [...this.#choices.values()].every(({ finished }) => finished)
  }

  /** A failed stream may end without it, as OpenAI's clients have raised the error by then. */
  #done() {
    if (this.#phase !== 'failed') this.rules.holds(this.#hasFinished, '[DONE] before every choice has finished')
    this.#phase = 'over'
  }

  #error(error: unknown) {
    this.#phase = 'failed'
    const shape = { message: 'string', type: 'string', param: 'null or string', code: 'null or string' }
    if (this.rules.shape(error, shape, 'error')) this.rules.text(error.message, 'error.message')
  }

  end() {
    this.rules.holds(this.#phase === 'over' || this.#phase === 'failed', 'no end')
  }
}

class ChoiceGrammar {
  finished = false
  #has_role = false
  /** Arguments of each call so far. */
  readonly #calls: string[] = []
  readonly #ids = new Set<string>()
  #details = -1

  constructor(private readonly rules: Rules) {}

  read({ delta, logprobs, finish_reason }: Json) {
    const { rules } = this
    rules.holds(!this.finished, 'a choice goes on after its end')
    if (!rules.holds(isObject(delta), 'delta is no object')) return
    rules.same(delta.role, this.#has_role ? undefined : 'assistant', 'role')
    this.#has_role = true
    for (const field of ['content', 'refusal', 'reasoning_content'])
      rules.holds(delta[field] === undefined || typeof delta[field] === 'string', `${field} is no text`)
    if (logprobs) rules.shape(logprobs, { content: 'list' }, 'logprobs')
    for (const call of delta.tool_calls ?? []) this.#call(call)
    for (const detail of delta.reasoning_details ?? []) this.#detail(detail)
    if (finish_reason === null) return
    rules.oneOf(finish_reason, finishReasons, 'finish_reason')
    this.finished = true
    if (finish_reason !== 'tool_calls') return
    rules.holds(this.#calls.length, 'finish_reason tool_calls without a call')
  }

  #call({ index, id, type, ...call }: Json) {
    const { rules } = this
    if (!rules.count(index, 'index of a call')) return
    if (index < this.#calls.length) {
      rules.same(
        [id, call.function?.name, call.custom?.name],
        [undefined, undefined, undefined],
        'a call is named again',
      )
    } else {
      rules.same(index, this.#calls.length, 'index of a call')
      rules.text(id, 'id of a call')
      rules.holds(!this.#ids.has(id), `id ${id} is not unique`)
      this.#ids.add(id)
      if (rules.oneOf(type, ['function', 'custom'], 'type of a call')) rules.text(call[type]?.name, 'name of a call')
      this.#calls.push('')
    }
    const text = call.function?.arguments ?? call.custom?.input
    if (rules.holds(typeof text === 'string', 'arguments are no text')) this.#calls[index] += text
  }

  /** Clients join entries of one index. */
  #detail({ index, type }: Json) {
    const { rules } = this
    rules.oneOf(type, ['reasoning.text', 'reasoning.summary', 'reasoning.encrypted'], 'type of a detail')
    rules.holds([this.#details, this.#details + 1].includes(index), `index ${index} of a detail`)
    this.#details = index
  }
}
