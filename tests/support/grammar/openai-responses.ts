/** OpenAI Responses. https://platform.openai.com/docs/api-reference/responses-streaming (read 2026-11) */
import { ItemGrammar } from './response-item.ts'
import { isObject, type Json, type Rules, type StreamGrammar, type WireEvent } from './rules.ts'

export const openAiResponsesGrammar = (rules: Rules): StreamGrammar => new ResponseGrammar(rules)

const responseShape = {
  ...{ id: 'string', object: 'string', created_at: 'number', model: 'string', output: 'list', tools: 'list' },
  ...{ parallel_tool_calls: 'boolean', metadata: 'object', error: 'null or object' },
  ...{ incomplete_details: 'null or object', temperature: 'null or number', top_p: 'null or number' },
}

const usageShape = {
  ...{ input_tokens: 'number', input_tokens_details: 'object', output_tokens: 'number' },
  ...{ output_tokens_details: 'object', total_tokens: 'number' },
}

const terminals = ['response.completed', 'response.incomplete', 'response.failed']

class ResponseGrammar implements StreamGrammar {
  #sequence = 0
  #phase: 'created' | 'in_progress' | 'items' | 'failing' | 'over' = 'created'
  #id: unknown
  readonly #done: Json[] = []
  readonly #ids = new Set<string>()
  #item: ItemGrammar | undefined

  constructor(private readonly rules: Rules) {}

  read({ name, body }: WireEvent) {
    const { rules } = this
    if (!rules.holds(body, 'an event without JSON')) return
    const { type, sequence_number, ...fields } = body!
    rules.same(name, type, 'the name of the event')
    rules.same(sequence_number, this.#sequence++, 'sequence_number')
    if (!rules.holds(this.#phase !== 'over', `${type} comes after the end`)) return
    if (type === 'error') return this.#error(fields)
    if (terminals.includes(type)) return this.#end(type, fields.response)
    rules.holds(this.#phase !== 'failing', `${type} comes after an error`)
    if (type === 'response.created' || type === 'response.in_progress') return this.#begin(type, fields.response)
    rules.same(this.#phase, 'items', 'the phase')
    this.#readItem(type, fields)
  }

  #begin(type: string, response: unknown) {
    const { rules } = this
    rules.same(type, `response.${this.#phase}`, 'the event')
    this.#phase = this.#phase === 'created' ? 'in_progress' : 'items'
    if (!rules.shape(response, responseShape, 'response')) return
    this.#id ??= response.id
    rules.same([response.status, response.output, response.usage], ['in_progress', [], null], 'a new response')
    this.#head(response)
  }

  #head({ id, object }: Json) {
    this.rules.text(id, 'id of the response')
    this.rules.same([id, object], [this.#id, 'response'], 'the head')
  }

  #readItem(type: string, fields: Json) {
    const { rules } = this
    if (type === 'response.output_item.added') {
      rules.holds(!this.#item, 'an item begins while another is open')
      rules.same(fields.output_index, this.#done.length, 'output_index')
      if (!rules.holds(isObject(fields.item), 'no item')) return
      rules.text(fields.item.id, 'id of an item')
      rules.holds(!this.#ids.has(fields.item.id), `id ${fields.item.id} is not unique`)
      this.#ids.add(fields.item.id)
      this.#item = new ItemGrammar(fields.item, this.#done.length, rules)
      return
    }
    if (!rules.holds(this.#item, `${type} without an item`)) return
    if (type !== 'response.output_item.done') return this.#item!.read(type, fields)
    this.#item!.end(fields)
    this.#done.push(fields.item)
    this.#item = undefined
  }

  #end(type: string, response: unknown) {
    const { rules } = this
    const failed = type === 'response.failed'
    rules.holds(failed || this.#phase === 'items', `${type} in phase ${this.#phase}`)
    this.#phase = 'over'
    if (!rules.shape(response, responseShape, 'response')) return
    this.#id ??= response.id
    this.#head(response)
    rules.same(`response.${response.status}`, type, 'status')
    if (failed) return this.#fail(response)
    rules.holds(!this.#item, 'the response ends while an item is open')
    rules.same(response.output, this.#done, 'output')
    rules.same(response.error, null, 'error')
    if (type === 'response.incomplete') rules.text(response.incomplete_details?.reason, 'reason')
    if (!rules.shape(response.usage, usageShape, 'usage')) return
    const { input_tokens, output_tokens, total_tokens } = response.usage
    rules.same(total_tokens, input_tokens + output_tokens, 'total_tokens')
    rules.count(response.usage.input_tokens_details.cached_tokens, 'cached_tokens')
    rules.count(response.usage.output_tokens_details.reasoning_tokens, 'reasoning_tokens')
  }

  /** The item that was open stands in the output as far as it came. */
  #fail({ output, error }: Json) {
    const { rules } = this
    rules.same(output.slice(0, this.#done.length), this.#done, 'output of a failed response')
    rules.same(output.length, this.#done.length + Number(Boolean(this.#item)), 'number of items')
    if (rules.shape(error, { code: 'string', message: 'string' }, 'error')) rules.text(error.message, 'message')
  }

  #error({ message, code, param }: Json) {
    this.rules.holds(this.#phase !== 'failing', 'a second error')
    this.#phase = 'failing'
    this.rules.text(message, 'message')
    this.rules.text(code, 'code')
    this.rules.holds(param === null || typeof param === 'string', 'param')
  }

  end() {
    this.rules.holds(this.#phase === 'over', 'no end')
  }
}
