/**
 * Writes StreamEvents as the server-sent events of a streamed response, and assembles the response object.
 * https://platform.openai.com/docs/api-reference/responses-streaming (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import type {
  Citation,
  Delta,
  Finish,
  ResponsePart,
  Signature,
  StreamEvent,
  ThinkingPart,
  TokenLogprob,
  ToolCall,
  Usage,
} from '../canonical/chat.ts'
import { partId } from '../canonical/ids.ts'
import type { EventWriter, ResponseLabel } from '../format.ts'
import { objectsOf, parsedObject } from '../json/lenient-json.ts'
import { writeLogprob } from '../openai-chat/read-response.ts'
import { InOrder } from '../translate/in-order.ts'
import { wrap } from '../translate/signature.ts'
import { writeAnnotation } from './citations.ts'
import { IN_PROGRESS, openedCall, openedImage, openedMessage, openedReasoning, SEARCH_CALL } from './opened-items.ts'
import { asksForEncrypted } from './read-request.ts'
import { finishedResponse, outputSoFar, startedResponse, writeHead } from './response.ts'
import type {
  ResponsesContent,
  ResponsesEvents,
  ResponsesHead,
  ResponsesItem,
  ResponsesObject,
  ResponsesSummary,
} from './wire.ts'
import { writeEvent, writeFailure } from './write-failure.ts'

export const writeStream = (label: ResponseLabel): EventWriter => new ResponsesStreamWriter(label)

const TEXT_DELTA_PREFIX =
  'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","sequence_number":'

export class ResponsesStreamWriter implements EventWriter {
  readonly #order = new InOrder(event => this.#write(event))
  #sequence = 0
  #head: ResponsesHead
  /** The output items so far; the last one may be open. */
  readonly #items: Json[] = []
  #isOpen = false
  /** The open content part of a message; it does not change once its last event has repeated it. */
  #part: Json = {}
  /** A text delta event between its sequence number and its text: most of a stream is text deltas. */
  #textInfix = ''
  /** Signature of the open text. */
  #signature: Signature | undefined
  /** Arguments of the open call that finds tools. */
  #search = ''
  #finish: Finish = { reason: 'stop' }
  #usage: Usage | undefined

  constructor(private readonly label: ResponseLabel) {
    this.#head = writeHead('', undefined, label)
  }

  /** The response object so far. */
  get response(): ResponsesObject {
    return finishedResponse(this.#head, this.#finish, this.#items, this.#usage)
  }

  write = (event: StreamEvent): string => this.#order.push(event)

  #write(event: StreamEvent): string {
    switch (event.kind) {
      case 'start':
        this.#head = writeHead(event.id, event.created, this.label)
        return this.#writeState('created') + this.#writeState('in_progress')
      case 'open':
        return this.#open(event.opening)
      case 'delta':
        return this.#isOpen ? this.#add(event.delta) : ''
      case 'close':
        return this.#isOpen ? this.#close() : ''
      case 'logprobs':
        return this.#addLogprobs(event.tokens)
      case 'finish':
        this.#finish = event.finish
        return this.#endItem()
      case 'usage':
        this.#usage = event.usage
        return ''
      case 'error':
        return writeFailure({ ...this.#head, output: outputSoFar(this.#items) }, event.failure, this.#sequence)
      case 'end':
        return this.#endItem() + this.#end()
    }
  }

  #frame<Type extends keyof ResponsesEvents>(type: Type, fields: ResponsesEvents[Type]): string {
    return writeEvent(type, this.#sequence++, fields)
  }

  #writeState = (state: 'created' | 'in_progress') =>
    this.#frame(`response.${state}`, { response: startedResponse(this.#head) })

  #end(): string {
    const { response } = this
    return this.#frame(`response.${response.status}`, { response })
  }

  get #item(): Json {
    return this.#items.at(-1) ?? {}
  }

  get #at(): { item_id: unknown; output_index: number } {
    return { item_id: this.#item.id, output_index: this.#items.length - 1 }
  }

  #name = (prefix: string) => partId(prefix, this.label, this.#items.length)

  #begin(item: ResponsesItem): string {
    const ended = this.#endItem()
    this.#items.push(item)
    this.#isOpen = true
    return ended + this.#frame('response.output_item.added', { output_index: this.#items.length - 1, item })
  }

  #endItem(): string {
    if (!this.#isOpen) return ''
    this.#isOpen = false
    if (this.#item.status === IN_PROGRESS) this.#item.status = 'completed'
    return this.#frame('response.output_item.done', { output_index: this.#items.length - 1, item: this.#item })
  }

  #open(part: ResponsePart): string {
    switch (part.kind) {
      case 'text':
        return this.#openContent({ type: 'output_text', text: '', annotations: [], logprobs: [] })
      case 'refusal':
        return this.#openContent({ type: 'refusal', refusal: '' })
      case 'thinking':
        return this.#openReasoning(part)
      case 'tool_call':
        return this.#openCall(part)
      case 'image': {
        const image = openedImage(part, this.#name)
        return image ? this.#begin(image) : ''
      }
      case 'native':
        return this.#begin({ id: this.#name('item_'), ...part.value } as ResponsesItem)
      case 'audio':
        return ''
    }
  }

  /** Consecutive texts are parts of one message. */
  #openContent(part: ResponsesContent): string {
    const opened = this.#isOpen && this.#item.type === 'message' ? '' : this.#begin(openedMessage(this.#name))
    const content = this.#item.content as Json[]
    content.push(part)
    this.#part = part
    this.#textInfix = `,${JSON.stringify(this.#contentAt).slice(1, -1)},"delta":`
    return opened + this.#frame('response.content_part.added', { ...this.#contentAt, part })
  }

  get #contentAt() {
    return { ...this.#at, content_index: objectsOf(this.#item.content).length - 1 }
  }

  #openReasoning(thought: Pick<ThinkingPart, 'signature' | 'id'>): string {
    return this.#begin(openedReasoning(thought, this.#name))
  }

  /**
   * A function call has no signature. Gemini's signature of a tool call travels in an empty reasoning item before it.
   */
  #openCall(call: ToolCall): string {
    const { id, signature } = call
    const reasoning = signature ? this.#openReasoning({ signature }) : ''
    return reasoning + this.#begin(openedCall(call, id || this.#name('call_'), this.#name))
  }

  #arguments(delta: string): string {
    if (!delta) return ''
    if (this.#item.type === 'custom_tool_call') {
      this.#item.input += delta
      return this.#frame('response.custom_tool_call_input.delta', { ...this.#at, delta })
    }
    if (this.#item.type === SEARCH_CALL) {
      this.#search += delta
      return ''
    }
    this.#item.arguments += delta
    return this.#frame('response.function_call_arguments.delta', { ...this.#at, delta })
  }

  #text(delta: string): string {
    if (!delta) return ''
    if (this.#item.type === 'reasoning') return this.#summary(delta)
    if (this.#item.type !== 'message') return ''
    if (this.#part.type === 'refusal') {
      this.#part.refusal += delta
      return this.#frame('response.refusal.delta', { ...this.#contentAt, delta })
    }
    this.#part.text += delta
    return `${TEXT_DELTA_PREFIX}${this.#sequence++}${this.#textInfix}${JSON.stringify(delta)},"logprobs":[]}\n\n`
  }

  #summary(delta: string): string {
    const at = { ...this.#at, summary_index: 0 }
    const summary = this.#item.summary as Json[]
    const added = summary.length
      ? ''
      : this.#frame('response.reasoning_summary_part.added', { ...at, part: emptySummary })
    if (!summary.length) summary.push({ ...emptySummary })
    summary[0]!.text += delta
    return added + this.#frame('response.reasoning_summary_text.delta', { ...at, delta })
  }

  #add(delta: Delta): string {
    if ('text' in delta) return this.#text(delta.text)
    if ('arguments' in delta) return this.#arguments(delta.arguments)
    if ('signature' in delta && this.#item.type === 'reasoning') {
      this.#item.encrypted_content = wrap(delta.signature, 'openai')
    } else if ('signature' in delta && asksForEncrypted(this.label.request)) this.#signature = delta.signature
    return 'citation' in delta ? this.#cite(delta.citation) : ''
  }

  #cite(citation: Citation): string {
    const annotation = writeAnnotation(citation, String(this.#part.text ?? ''))
    if (!annotation || !Array.isArray(this.#part.annotations)) return ''
    this.#part.annotations.push(annotation)
    const annotation_index = this.#part.annotations.length - 1
    return this.#frame('response.output_text.annotation.added', { ...this.#contentAt, annotation_index, annotation })
  }

  #addLogprobs(tokens: TokenLogprob[]): string {
    const logprobs = this.#part.logprobs as Json[] | undefined
    logprobs?.push(...tokens.map(writeLogprob))
    return ''
  }

  #close(): string {
    switch (this.#item.type) {
      case 'message':
        return this.#closeContent() + this.#signText()
      case 'reasoning':
        return this.#closeSummary() + this.#endItem()
      case 'function_call': {
        const empty = this.#item.arguments === '' ? this.#arguments('{}') : ''
        const { name, arguments: text } = this.#item
        const done = this.#frame('response.function_call_arguments.done', { ...this.#at, name, arguments: text })
        return empty + done + this.#endItem()
      }
      case 'custom_tool_call': {
        const { input } = this.#item
        return this.#frame('response.custom_tool_call_input.done', { ...this.#at, input }) + this.#endItem()
      }
      case SEARCH_CALL:
        this.#item.arguments = parsedObject(this.#search)
        this.#search = ''
        return this.#endItem()
      default:
        return this.#endItem()
    }
  }

  #closeContent(): string {
    const part = this.#part
    const { type, text, refusal, logprobs } = part
    const done =
      type === 'refusal'
        ? this.#frame('response.refusal.done', { ...this.#contentAt, refusal })
        : this.#frame('response.output_text.done', { ...this.#contentAt, text, logprobs })
    this.#part = {}
    return done + this.#frame('response.content_part.done', { ...this.#contentAt, part })
  }

  /** A text has no signature. Gemini's travels in an empty reasoning item behind the message. */
  #signText(): string {
    const signature = this.#signature
    this.#signature = undefined
    return signature ? this.#openReasoning({ signature }) + this.#endItem() : ''
  }

  #closeSummary(): string {
    const [part] = objectsOf(this.#item.summary)
    if (!part) return ''
    const at = { ...this.#at, summary_index: 0 }
    const done = this.#frame('response.reasoning_summary_text.done', { ...at, text: part.text })
    return done + this.#frame('response.reasoning_summary_part.done', { ...at, part })
  }
}

const emptySummary: ResponsesSummary = { type: 'summary_text', text: '' }
