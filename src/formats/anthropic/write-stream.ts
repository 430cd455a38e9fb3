/**
 * Writes StreamEvents as the server-sent events of a streamed message.
 * https://docs.anthropic.com/en/api/messages-streaming (read 2026-11)
 */
import {
  type Delta,
  type Finish,
  type ResponsePart,
  type Signature,
  type StreamEvent,
  type Usage,
  usageOf,
} from '../canonical/chat.ts'
import { partId } from '../canonical/ids.ts'
import type { EventWriter, ResponseLabel } from '../format.ts'
import { InOrder } from '../translate/in-order.ts'
import { wrap } from '../translate/signature.ts'
import { writeError } from './api-error.ts'
import { writeCitation } from './citations.ts'
import { writeFinish } from './finish-reason.ts'
import { writeUsage } from './usage.ts'
import type { AnthropicBlock, AnthropicDelta, AnthropicEnd, AnthropicErrorBody, AnthropicEvent } from './wire.ts'
import { writeHead, writeRedactedBlock, writeThinkingBlock } from './write-response.ts'

export const writeStream = (label: ResponseLabel): EventWriter => new AnthropicStreamWriter(label)

const frame = (data: AnthropicEvent | AnthropicErrorBody) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`

const DELTA_PREFIX = 'event: content_block_delta\ndata: {"type":"content_block_delta","index":'

class AnthropicStreamWriter implements EventWriter {
  readonly #order = new InOrder(event => this.#write(event))
  /** Index of the last opened block. */
  #index = -1
  #isOpen = false
  #block: AnthropicBlock['type'] | undefined
  /** The delta event up to its text: most of a stream is text deltas. */
  #textPrefix = ''
  #signature: Signature | undefined
  #hasArguments = false
  #refused = false
  #finish: Finish = { reason: 'stop' }
  #usage: Usage | undefined

  constructor(private readonly label: ResponseLabel) {}

  write = (event: StreamEvent): string => this.#order.push(event)

  #write(event: StreamEvent): string {
    switch (event.kind) {
      case 'start':
        return this.#start(event.id, event.usage)
      case 'open':
        return this.#open(event.opening, event.part)
      case 'delta':
        return this.#isOpen ? this.#add(event.delta) : ''
      case 'close':
        return this.#isOpen ? this.#close() : ''
      case 'finish':
        this.#finish = event.finish
        return ''
      case 'usage':
        this.#usage = event.usage
        return ''
      case 'error':
        return frame(writeError(event.failure))
      case 'end':
        return this.#end()
      case 'logprobs':
        return ''
    }
  }

  #start(id: string, usage: Usage | undefined): string {
    const initial = usage ?? usageOf({ input: this.label.prompt ?? 0 })
    const head = writeHead(id, this.label)
    const message = { ...head, content: [], stop_reason: null, stop_sequence: null, usage: writeUsage(initial) }
    return frame({ type: 'message_start', message })
  }

  #open(part: ResponsePart, index: number): string {
    switch (part.kind) {
      case 'text':
        return this.#begin({ type: 'text', text: '' })
      case 'refusal':
        this.#refused = true
        return this.#begin({ type: 'text', text: '' })
      case 'thinking':
        return this.#think(part.signature)
      case 'tool_call': {
        const signed = part.signature ? this.#think(part.signature) + this.#close() : ''
        const id = part.id || partId('toolu_', this.label, index)
        return signed + this.#begin({ type: 'tool_use', id, name: part.name, input: {} })
      }
      case 'native':
        return this.#begin(part.value as AnthropicBlock)
      case 'image':
      case 'audio':
        return ''
    }
  }

  #think(signature: Signature | undefined): string {
    if (signature?.redacted) return this.#begin(writeRedactedBlock(signature))
    const begun = this.#begin(writeThinkingBlock({ text: '', signature: undefined }))
    this.#signature = signature
    return begun
  }

  /** What is known of a block begins with it. */
  #begin(content_block: AnthropicBlock): string {
    this.#index++
    this.#isOpen = true
    this.#signature = undefined
    this.#hasArguments = false
    this.#block = content_block.type
    const fields = content_block.type === 'thinking' ? '"thinking_delta","thinking"' : '"text_delta","text"'
    this.#textPrefix = `${DELTA_PREFIX}${this.#index},"delta":{"type":${fields}:`
    return frame({ type: 'content_block_start', index: this.#index, content_block })
  }

  #delta(delta: AnthropicDelta): string {
    return frame({ type: 'content_block_delta', index: this.#index, delta })
  }

  #arguments(partial_json: string): string {
    if (!partial_json) return ''
    this.#hasArguments = true
    return this.#delta({ type: 'input_json_delta', partial_json })
  }

  #add(delta: Delta): string {
    if ('arguments' in delta) return this.#arguments(delta.arguments)
    if ('text' in delta) return delta.text && `${this.#textPrefix}${JSON.stringify(delta.text)}}}\n\n`
    if ('citation' in delta) {
      const citation = writeCitation(delta.citation)
      return citation ? this.#delta({ type: 'citations_delta', citation }) : ''
    }
    if ('signature' in delta && this.#block === 'thinking') this.#signature = delta.signature
    return ''
  }

  /** The signature comes last in its block. A tool call without arguments gets `{}`. */
  #close(): string {
    this.#isOpen = false
    const signature = this.#signature
    const signed =
      signature && !signature.redacted
        ? this.#delta({ type: 'signature_delta', signature: wrap(signature, 'anthropic') })
        : ''
    const empty = this.#block === 'tool_use' && !this.#hasArguments ? this.#arguments('{}') : ''
    return signed + empty + frame({ type: 'content_block_stop', index: this.#index })
  }

  #end(): string {
    const delta: AnthropicEnd = {
      stop_reason: writeFinish(this.#finish, this.#refused),
      stop_sequence: this.#finish.sequence ?? null,
    }
    const usage = writeUsage(this.#usage ?? usageOf())
    return frame({ type: 'message_delta', delta, usage }) + frame({ type: 'message_stop' })
  }
}
