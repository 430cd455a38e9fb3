/** Anthropic Messages. https://docs.anthropic.com/en/api/messages-streaming (read 2026-11) */
import { isObject, type Json, type Rules, type StreamGrammar, type WireEvent } from './rules.ts'

export const anthropicGrammar = (rules: Rules): StreamGrammar => new MessageGrammar(rules)

const stopReasons = [
  ...['end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'pause_turn', 'refusal'],
  ...['model_context_window_exceeded', 'compaction'],
]

const errorTypes = [
  ...['invalid_request_error', 'authentication_error', 'billing_error', 'permission_error', 'not_found_error'],
  ...['request_too_large', 'rate_limit_error', 'api_error', 'overloaded_error', 'timeout_error'],
]

/** Deltas by type of block, and the field of each. */
const deltas: Record<string, Record<string, string>> = {
  text: { text_delta: 'text', citations_delta: 'citation' },
  thinking: { thinking_delta: 'thinking', signature_delta: 'signature' },
  tool_use: { input_json_delta: 'partial_json' },
  server_tool_use: { input_json_delta: 'partial_json' },
}

class MessageGrammar implements StreamGrammar {
  #phase: 'start' | 'blocks' | 'delta' | 'over' = 'start'
  #index = -1
  #block: Json | undefined
  /** The types of the deltas of the open block. */
  #types: string[] = []
  #content = ''
  readonly #ids = new Set<string>()

  constructor(private readonly rules: Rules) {}

  read({ name, body = {} }: WireEvent) {
    this.rules.same(name, body.type, 'the name of the event')
    if (!this.rules.holds(this.#phase !== 'over', `${body.type} comes after the end`)) return
    if (body.type === 'ping') return
    if (body.type === 'error') return this.#error(body)
    const phase = ['message_start', 'message_stop'].includes(body.type) ? body.type : this.#phase
    this.rules.holds(this.#isInPhase(body.type), `${body.type} comes in phase ${phase}`)
    this.#readEvent(body)
  }

  #isInPhase(type: string): boolean {
    if (type === 'message_start') return this.#phase === 'start'
    if (type === 'message_stop') return this.#phase === 'delta'
    return this.#phase === 'blocks'
  }

  #readEvent(body: Json) {
    switch (body.type) {
      case 'message_start':
        this.#phase = 'blocks'
        return this.#start(body.message)
      case 'content_block_start':
        return this.#open(body)
      case 'content_block_delta':
        return this.#add(body)
      case 'content_block_stop':
        return this.#close(body)
      case 'message_delta':
        this.#phase = 'delta'
        return this.#finish(body)
      case 'message_stop':
        this.#phase = 'over'
        return
      default:
        this.rules.holds(false, `unknown event ${body.type}`)
    }
  }

  #start(message: unknown) {
    const { rules } = this
    const shape = { id: 'string', model: 'string', stop_reason: 'null', stop_sequence: 'null', usage: 'object' }
    if (!rules.shape(message, shape, 'message')) return
    rules.text(message.id, 'message.id')
    rules.same([message.type, message.role, message.content], ['message', 'assistant', []], 'message')
    rules.count(message.usage?.input_tokens, 'input_tokens')
    rules.count(message.usage?.output_tokens, 'output_tokens')
  }

  #open({ index, content_block: block }: Json) {
    const { rules } = this
    rules.holds(!this.#block, 'a block begins while another is open')
    rules.same(index, ++this.#index, 'index')
    if (!rules.holds(isObject(block), 'no content_block')) return
    this.#block = block
    this.#types = []
    this.#content = ''
    if (block.type === 'text') rules.same(block.text, '', 'text of a new block')
    if (block.type === 'thinking') rules.same([block.thinking, block.signature], ['', ''], 'thinking of a new block')
    if (block.type === 'redacted_thinking') rules.text(block.data, 'data')
    if (block.type !== 'tool_use') return
    rules.same(block.input, {}, 'input of a new block')
    rules.text(block.name, 'name')
    rules.text(block.id, 'id')
    rules.holds(!this.#ids.has(block.id), `id ${block.id} is not unique`)
    this.#ids.add(block.id)
  }

  #add({ index, delta }: Json) {
    const { rules } = this
    if (!rules.holds(this.#block, 'a delta without a block')) return
    rules.same(index, this.#index, 'index')
    const field = deltas[this.#block!.type]?.[delta?.type]
    if (!rules.holds(field, `${delta?.type} in a block of type ${this.#block!.type}`)) return
    const isText = field !== 'citation'
    rules.holds(isText ? typeof delta[field!] === 'string' : isObject(delta[field!]), `no ${field} in a delta`)
    rules.holds(!this.#types.includes('signature_delta'), 'a delta after the signature')
    this.#types.push(delta.type)
    if (isText && field !== 'signature') this.#content += delta[field!]
  }

  #close({ index }: Json) {
    const { rules } = this
    rules.same(index, this.#index, 'index')
    if (!rules.holds(this.#block, 'a block ends that is not open')) return
    const { type } = this.#block!
    if (type === 'text') rules.holds(this.#content, 'an empty text block')
    if (type === 'tool_use') rules.holds(this.#content, 'a tool_use block without input')
    if (type === 'thinking') rules.holds(this.#types.length, 'a thinking block without content')
    this.#block = undefined
  }

  #finish({ delta, usage }: Json) {
    const { rules } = this
    rules.holds(!this.#block, 'the message ends while a block is open')
    rules.oneOf(delta?.stop_reason, stopReasons, 'stop_reason')
    rules.shape(delta, { stop_sequence: 'null or string' }, 'delta')
    if (delta?.stop_reason === 'tool_use') rules.holds(this.#ids.size, 'stop_reason tool_use without a call')
    rules.count(usage?.output_tokens, 'output_tokens')
  }

  #error({ error }: Json) {
    this.#phase = 'over'
    this.rules.oneOf(error?.type, errorTypes, 'error.type')
    this.rules.text(error?.message, 'error.message')
  }

  end() {
    this.rules.holds(this.#phase === 'over', 'no end')
  }
}
