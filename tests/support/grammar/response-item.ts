/** One output item of a response: its deltas add up to what its last events repeat. */
import { isObject, type Json, type Rules } from './rules.ts'

/** A text that grows by deltas until its `done` event. */
interface Growing {
  text: string
  isDone: boolean
}

const growing = (): Growing => ({ text: '', isDone: false })

/** What an item has when it begins, by type. */
const beginnings: Record<string, Json> = {
  message: { status: 'in_progress', role: 'assistant', content: [] },
  reasoning: { summary: [] },
  function_call: { status: 'in_progress', arguments: '' },
  custom_tool_call: { input: '' },
}

export class ItemGrammar {
  /** Content parts of a message, summary parts of a reasoning. */
  readonly #parts: { part: Json; growing: Growing; annotations: unknown[]; isDone: boolean }[] = []
  readonly #input = growing()

  constructor(
    private readonly item: Json,
    private readonly index: number,
    private readonly rules: Rules,
  ) {
    const beginning = beginnings[item.type] ?? {}
    for (const [name, value] of Object.entries(beginning))
      rules.same(item[name], value, `${name} of a new ${item.type}`)
    if (!item.type.endsWith('_call') || !(item.type in beginnings)) return
    rules.text(item.call_id, 'call_id')
    rules.text(item.name, 'name')
  }

  read(type: string, fields: Json) {
    const { rules, item } = this
    rules.same([fields.item_id, fields.output_index], [item.id, this.index], 'the item of an event')
    const [, name] = /^response\.(.+)$/.exec(type) ?? []
    const events: Record<string, Record<string, () => void>> = {
      message: {
        'content_part.added': () => this.#beginPart(fields, 'content_index'),
        'content_part.done': () => this.#endPart(fields, 'content_index'),
        'output_text.delta': () => this.#add(fields, 'output_text'),
        'output_text.done': () => this.#end(fields, 'output_text', 'text'),
        'output_text.annotation.added': () => this.#annotate(fields),
        'refusal.delta': () => this.#add(fields, 'refusal'),
        'refusal.done': () => this.#end(fields, 'refusal', 'refusal'),
      },
      reasoning: {
        'reasoning_summary_part.added': () => this.#beginPart(fields, 'summary_index'),
        'reasoning_summary_part.done': () => this.#endPart(fields, 'summary_index'),
        'reasoning_summary_text.delta': () => this.#add(fields, 'summary_text'),
        'reasoning_summary_text.done': () => this.#end(fields, 'summary_text', 'text'),
      },
      function_call: {
        'function_call_arguments.delta': () => this.#grow(this.#input, fields),
        'function_call_arguments.done': () => this.#complete(this.#input, fields.arguments),
      },
      custom_tool_call: {
        'custom_tool_call_input.delta': () => this.#grow(this.#input, fields),
        'custom_tool_call_input.done': () => this.#complete(this.#input, fields.input),
      },
    }
    const read = events[item.type]?.[name!]
    if (rules.holds(read, `${type} in an item of type ${item.type}`)) read!()
  }

  #beginPart({ part, ...at }: Json, index: string) {
    const { rules } = this
    rules.same(at[index], this.#parts.length, index)
    rules.holds(
      this.#parts.every(({ isDone }) => isDone),
      'a part begins while another is open',
    )
    if (!rules.holds(isObject(part), 'no part')) return
    rules.same(part.text ?? part.refusal, '', 'text of a new part')
    if (part.type === 'output_text') rules.same(part.annotations, [], 'annotations of a new part')
    this.#parts.push({ part, growing: growing(), annotations: [], isDone: false })
  }

  /** The part that an event names, if it is open and of this type. */
  #part(fields: Json, type: string) {
    const index = fields.content_index ?? fields.summary_index
    const last = this.#parts.at(-1)
    this.rules.same(index, this.#parts.length - 1, 'index of the part')
    return this.rules.holds(last && !last.isDone && last.part.type === type, `no open part ${type}`) ? last : undefined
  }

  #add(fields: Json, type: string) {
    const part = this.#part(fields, type)
    if (part) this.#grow(part.growing, fields)
    if (type === 'output_text') this.rules.holds(Array.isArray(fields.logprobs), 'logprobs is no list')
  }

  #end(fields: Json, type: string, field: string) {
    const part = this.#part(fields, type)
    if (part) this.#complete(part.growing, fields[field])
  }

  #annotate(fields: Json) {
    const part = this.#part(fields, 'output_text')
    this.rules.same(fields.annotation_index, part?.annotations.length, 'annotation_index')
    part?.annotations.push(fields.annotation)
  }

  #grow(text: Growing, { delta }: Json) {
    this.rules.text(delta, 'delta')
    this.rules.holds(!text.isDone, 'a delta after its end')
    text.text += delta
  }

  #complete(text: Growing, whole: unknown) {
    this.rules.holds(!text.isDone, 'a second end')
    this.rules.same(whole, text.text, 'the whole text')
    text.isDone = true
  }

  #endPart({ part, ...at }: Json, index: string) {
    const { rules } = this
    const last = this.#parts.at(-1)
    rules.same(at[index], this.#parts.length - 1, index)
    if (!rules.holds(last && !last.isDone, 'a part ends that is not open')) return
    last!.isDone = true
    rules.holds(last!.growing.isDone, 'a part ends before its text')
    rules.same(part.text ?? part.refusal, last!.growing.text, 'text of the part')
    if (part.type === 'output_text') rules.same(part.annotations, last!.annotations, 'annotations of the part')
    last!.part = part
  }

  end({ output_index, item }: Json) {
    const { rules } = this
    rules.same(output_index, this.index, 'output_index')
    if (!rules.holds(isObject(item), 'no item')) return
    rules.same([item.id, item.type], [this.item.id, this.item.type], 'the item')
    rules.holds(item.status !== 'in_progress', 'an item ends in progress')
    rules.holds(
      this.#parts.every(({ isDone }) => isDone),
      'an item ends before its parts',
    )
    const parts = this.#parts.map(({ part }) => part)
    if (item.type === 'message') {
      rules.same(item.content, parts, 'content')
      rules.holds(parts.length, 'an empty message')
    }
    if (item.type === 'reasoning') rules.same(item.summary, parts, 'summary')
    if (item.type === 'function_call' || item.type === 'custom_tool_call') {
      rules.holds(this.#input.isDone, 'a call ends before its input')
      rules.same(item.arguments ?? item.input, this.#input.text, 'input')
    }
  }
}
