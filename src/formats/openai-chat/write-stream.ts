import type { Json } from '../../pure/json.ts'
import { addTo } from '../canonical/assemble.ts'
import type { Delta, Finish, ResponsePart, StreamEvent, ThinkingPart, Usage } from '../canonical/chat.ts'
import { partId, responseId } from '../canonical/ids.ts'
import type { EventWriter, ResponseLabel } from '../format.ts'
import { writeError } from './api-error.ts'
import { writeAnnotation } from './citations.ts'
import { writeFinish } from './finish.ts'
import { writeLogprob } from './read-response.ts'
import { writeThought } from './reasoning-details.ts'
import { writeUsage } from './usage.ts'
import { AUDIO_SECONDS, writeAnyCall, writeImages } from './write-response.ts'

export const writeStream = (label: ResponseLabel): EventWriter => new ChatWriter(label)

const frame = (data: Json) => `data: ${JSON.stringify(data)}\n\n`

class ChatWriter implements EventWriter {
  #head: Json = {}
  /** Most chunks are alike but for a few words: what stands before and after these is written once. */
  #before = ''
  #after = ''
  #afterWords = ''
  #usage: Usage | undefined
  readonly #choices = new Map<number, ChoiceWriter>()

  constructor(private readonly label: ResponseLabel) {}

  write(event: StreamEvent): string {
    switch (event.kind) {
      case 'start':
        return this.#start(event)
      case 'open':
        return this.#tell(event.choice, choice => choice.open(event.part, event.opening))
      case 'delta':
        return this.#add(event)
      case 'close':
        return this.#tell(event.choice, choice => choice.close(event.part))
      case 'logprobs':
        return this.#chunk(event.choice, {}, { content: event.tokens.map(writeLogprob), refusal: null })
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
    this.#afterWords = `,"logprobs":null,"finish_reason":null${this.#after}`
    return this.#tell(0, () => [])
  }

  /** The first word of every choice is whose it is. */
  #tell(index: number, say: (choice: ChoiceWriter) => Json[]): string {
    const known = this.#choices.get(index)
    const choice = known ?? new ChoiceWriter(this.label)
    let text = ''
    if (!known) {
      this.#choices.set(index, choice)
      text = this.#chunk(index, { role: 'assistant', content: '' })
    }
    for (const delta of say(choice)) text += this.#chunk(index, delta)
    return text
  }

  /** Most of a stream is words. */
  #add({ choice, part, delta }: StreamEvent & { kind: 'delta' }): string {
    if (!('text' in delta)) return this.#tell(choice, writer => writer.add(part, delta))
    const field = this.#choices.get(choice)?.say(part, delta.text)
    if (!field) return ''
    return `${this.#before}${choice},"delta":{"${field}":${JSON.stringify(delta.text)}}${this.#afterWords}`
  }

  #chunk(index: number, delta: Json, logprobs: Json | null = null, finish_reason: string | null = null): string {
    const ending = `"logprobs":${logprobs && JSON.stringify(logprobs)},"finish_reason":${finish_reason && `"${finish_reason}"`}`
    return `${this.#before}${index},"delta":${JSON.stringify(delta)},${ending}${this.#after}`
  }

  #finish(index: number, finish: Finish): string {
    return this.#tell(index, () => []) + this.#chunk(index, {}, null, writeFinish(finish))
  }

  #report(): string {
    if (!this.label.request.wants_usage || !this.#usage) return ''
    return frame({ ...this.#head, choices: [], usage: writeUsage(this.#usage) })
  }
}

/** A part that is being told. */
interface Telling {
  part: ResponsePart
  /** Where its text begins in all that is said. */
  offset: number
  /** How many calls were told before it. */
  ordinal: number
}

const writeArguments = (part: ResponsePart, text: string): Json =>
  part.kind === 'tool_call' && part.custom ? { custom: { input: text } } : { function: { arguments: text } }

/** Where words go, by what they belong to. */
const fields: Partial<Record<ResponsePart['kind'], string>> = {
  text: 'content',
  thinking: 'reasoning_content',
  refusal: 'refusal',
}

class ChoiceWriter {
  readonly #open = new Map<number, Telling>()
  #said = 0
  #calls = 0
  #thoughts = 0

  constructor(private readonly label: ResponseLabel) {}

  open(index: number, opening: ResponsePart): Json[] {
    const telling: Telling = { part: structuredClone(opening), offset: this.#said, ordinal: this.#calls }
    this.#open.set(index, telling)
    switch (opening.kind) {
      case 'tool_call': {
        const id = opening.id || partId('call_', this.label, this.#calls)
        const call = { index: this.#calls++, ...writeAnyCall({ ...opening, id }) }
        const begun = opening.custom ? {} : { function: { name: opening.name, arguments: '' } }
        return [{ tool_calls: [{ ...call, ...begun }] }]
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

  add(index: number, delta: Delta): Json[] {
    const telling = this.#open.get(index)
    if (!telling) return []
    const { part, offset, ordinal } = telling
    // Sound goes on and is not kept: nothing that is told later depends on it.
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

  /** @returns the field in which these words are told */
  say(index: number, text: string): string | undefined {
    const part = this.#open.get(index)?.part
    if (!part) return undefined
    addTo(part, { text })
    if (part.kind === 'text') this.#said += text.length
    return fields[part.kind]
  }

  close(index: number): Json[] {
    const telling = this.#open.get(index)
    this.#open.delete(index)
    switch (telling?.part.kind) {
      case 'tool_call': {
        const { part, ordinal } = telling
        return part.arguments || part.custom
          ? []
          : [{ tool_calls: [{ index: ordinal, function: { arguments: '{}' } }] }]
      }
      case 'thinking':
        return this.#sign(telling.part)
      case 'audio':
        return [{ audio: { expires_at: this.label.created + AUDIO_SECONDS } }]
      default:
        return []
    }
  }

  /** A thought is told once more with its signature, so that it can be sent back as it was. */
  #sign(thought: ThinkingPart): Json[] {
    return thought.signature ? [{ reasoning_details: writeThought(thought, this.#thoughts++) }] : []
  }
}
