/**
 * Writes StreamEvents as the chunks of a streamed chat completion.
 * https://platform.openai.com/docs/api-reference/chat-streaming (read 2026-11)
 */
import { addTo } from '../canonical/assemble.ts'
import type { Delta, Finish, ResponsePart, StreamEvent, ThinkingPart, Usage } from '../canonical/chat.ts'
import { partId, responseId } from '../canonical/ids.ts'
import type { EventWriter, ResponseLabel } from '../format.ts'
import { writeError } from './api-error.ts'
import { writeAnnotation } from './citations.ts'
import { writeFinish } from './finish-reason.ts'
import { writeLogprob } from './read-response.ts'
import { writeReasoningDetail } from './reasoning-details.ts'
import { writeUsage } from './usage.ts'
import type {
  OpenAiCallDelta,
  OpenAiChunkHead,
  OpenAiDelta,
  OpenAiErrorBody,
  OpenAiLogprobs,
  OpenAiUsageChunk,
} from './wire.ts'
import { AUDIO_SECONDS, signatureOf, writeAnyCall, writeImages } from './write-response.ts'

export const writeStream = (label: ResponseLabel): EventWriter => new ChatChunkWriter(label)

const frame = (data: OpenAiUsageChunk | OpenAiErrorBody) => `data: ${JSON.stringify(data)}\n\n`

class ChatChunkWriter implements EventWriter {
  #head: OpenAiChunkHead | undefined
  /**
   * A chunk up to its index, after its finish reason, and after its delta: chunks of one stream differ in little else.
   */
  #before = ''
  #after = ''
  #afterDelta = ''
  #usage: Usage | undefined
  readonly #choices = new Map<number, ChoiceWriter>()

  constructor(private readonly label: ResponseLabel) {}

  write(event: StreamEvent): string {
    switch (event.kind) {
      case 'start':
        return this.#start(event)
      case 'open':
        return this.#writeDeltas(event.choice, choice => choice.open(event.part, event.opening))
      case 'delta':
        return this.#add(event)
      case 'close':
        return this.#writeDeltas(event.choice, choice => choice.close(event.part))
      case 'logprobs':
        return this.#logprobs(event)
      case 'finish':
        return this.#finish(event.choice, event.finish)
      case 'usage':
        this.#usage = event.usage
        return ''
      case 'error':
        return frame(writeError(event.failure))
      case 'end':
        return `${this.#report()}data: [DONE]\n\n`
    }
  }

  #start({ id, created }: StreamEvent & { kind: 'start' }): string {
    this.#head = {
      id: responseId('chatcmpl-', id, this.label),
      object: 'chat.completion.chunk',
      created: created ?? this.label.created,
      model: this.label.request.model,
    }
    this.#before = `data: ${JSON.stringify(this.#head).slice(0, -1)},"choices":[{"index":`
    this.#after = this.label.request.wants_usage ? '}],"usage":null}\n\n' : '}]}\n\n'
    this.#afterDelta = `,"logprobs":null,"finish_reason":null${this.#after}`
    return this.#writeDeltas(0, () => [])
  }

  /** A choice's first chunk has its role. */
  #writeDeltas(index: number, write: (choice: ChoiceWriter) => OpenAiDelta[]): string {
    const known = this.#choices.get(index)
    const choice = known ?? new ChoiceWriter(this.label)
    let text = ''
    if (!known) {
      this.#choices.set(index, choice)
      text = this.#chunk(index, { role: 'assistant', content: '' })
    }
    for (const delta of write(choice)) text += this.#chunk(index, delta)
    return text
  }

  /** Text deltas, most of a stream, are written from the prepared pieces. A delta alone begins no choice. */
  #add({ choice, part, delta }: StreamEvent & { kind: 'delta' }): string {
    const writer = this.#choices.get(choice)
    if (!('text' in delta)) return writer ? this.#writeDeltas(choice, () => writer.add(part, delta)) : ''
    const field = writer?.addText(part, delta.text)
    if (!field) return ''
    return `${this.#before}${choice},"delta":{"${field}":${JSON.stringify(delta.text)}}${this.#afterDelta}`
  }

  #chunk(
    index: number,
    delta: OpenAiDelta,
    logprobs: OpenAiLogprobs | null = null,
    finish_reason: string | null = null,
  ): string {
    const ending = `"logprobs":${logprobs && JSON.stringify(logprobs)},"finish_reason":${finish_reason && `"${finish_reason}"`}`
    return `${this.#before}${index},"delta":${JSON.stringify(delta)},${ending}${this.#after}`
  }

  #logprobs({ choice, tokens }: StreamEvent & { kind: 'logprobs' }): string {
    const logprobs = { content: tokens.map(writeLogprob), refusal: null }
    return this.#writeDeltas(choice, () => []) + this.#chunk(choice, {}, logprobs)
  }

  #finish(index: number, finish: Finish): string {
    return this.#writeDeltas(index, () => []) + this.#chunk(index, {}, null, writeFinish(finish))
  }

  #report(): string {
    if (!this.label.request.wants_usage || !this.#usage || !this.#head) return ''
    return frame({ ...this.#head, choices: [], usage: writeUsage(this.#usage) })
  }
}

/** A part that is being written. */
interface OpenPart {
  part: ResponsePart
  /** Position of its text in the content of the message. */
  offset: number
  /** Number of tool calls before it. */
  ordinal: number
}

const writeArguments = (part: ResponsePart, text: string): Pick<OpenAiCallDelta, 'custom' | 'function'> =>
  part.kind === 'tool_call' && part.custom ? { custom: { input: text } } : { function: { arguments: text } }

/** Fields of text deltas by kind of part. */
const fields: Partial<Record<ResponsePart['kind'], keyof OpenAiDelta>> = {
  text: 'content',
  thinking: 'reasoning_content',
  refusal: 'refusal',
}

class ChoiceWriter {
  readonly #open = new Map<number, OpenPart>()
  #content_length = 0
  #calls = 0
  #thinking_parts = 0

  constructor(private readonly label: ResponseLabel) {}

  open(index: number, opening: ResponsePart): OpenAiDelta[] {
    const open: OpenPart = { part: structuredClone(opening), offset: this.#content_length, ordinal: this.#calls }
    this.#open.set(index, open)
    switch (opening.kind) {
      case 'tool_call': {
        const id = opening.id || partId('call_', this.label, this.#calls)
        const call = { index: this.#calls++, ...writeAnyCall({ ...opening, id }) }
        const named: Pick<OpenAiCallDelta, 'function'> = opening.custom
          ? {}
          : { function: { name: opening.name, arguments: '' } }
        return [{ tool_calls: [{ ...call, ...named }] }]
      }
      case 'image':
        return [writeImages([opening])]
      case 'audio':
        return [{ audio: { id: partId('audio_', this.label, 0) } }]
      case 'text':
      case 'thinking':
      case 'refusal':
      case 'native':
        return []
    }
  }

  add(index: number, delta: Delta): OpenAiDelta[] {
    const open = this.#open.get(index)
    if (!open) return []
    const { part, offset, ordinal } = open
    // Audio is not collected: no later chunk depends on it.
    if ('audio' in delta) return [{ audio: { data: delta.audio } }]
    if ('transcript' in delta) return [{ audio: { transcript: delta.transcript } }]
    addTo(part, delta)
    if ('arguments' in delta) return [{ tool_calls: [{ index: ordinal, ...writeArguments(part, delta.arguments) }] }]
    if ('citation' in delta) {
      const text = part.kind === 'text' ? part.text : ''
      const annotations = writeAnnotation(delta.citation, text, offset)
      return annotations.length ? [{ annotations }] : []
    }
    return []
  }

  /** @returns the field of a text delta, undefined when the part has none */
  addText(index: number, text: string): keyof OpenAiDelta | undefined {
    const part = this.#open.get(index)?.part
    if (!part) return undefined
    addTo(part, { text })
    if (part.kind === 'text') this.#content_length += text.length
    return fields[part.kind]
  }

  close(index: number): OpenAiDelta[] {
    const open = this.#open.get(index)
    this.#open.delete(index)
    switch (open?.part.kind) {
      case 'tool_call': {
        const { part, ordinal } = open
        return part.arguments || part.custom
          ? []
          : [{ tool_calls: [{ index: ordinal, function: { arguments: '{}' } }] }]
      }
      case 'thinking':
        return this.#sign(open.part)
      case 'text':
        return signatureOf(open.part).flatMap(part => this.#sign(part))
      case 'audio':
        return [{ audio: { expires_at: this.label.created + AUDIO_SECONDS } }]
      default:
        return []
    }
  }

  /** The signature comes with a copy of the thinking text, so that clients can send both back together. */
  #sign(part: ThinkingPart): OpenAiDelta[] {
    return part.signature ? [{ reasoning_details: writeReasoningDetail(part, this.#thinking_parts++) }] : []
  }
}
