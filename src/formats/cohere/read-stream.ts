/**
 * Reads the server-sent events of a streamed chat as StreamEvents.
 * https://docs.cohere.com/docs/streaming (read 2026-11)
 */
import { parsedOrUndefined } from '../../pure/json.ts'
import { unreadable } from '../canonical/api-error.ts'
import type { Delta, ResponsePart, StreamEvent } from '../canonical/chat.ts'
import { PartTracker } from '../canonical/part-tracker.ts'
import type { EventReader } from '../format.ts'
import { isObject } from '../json/checks.ts'
import { numberOf, objectOf, textOf, type UnreadFields } from '../json/lenient-json.ts'
import { readError } from './api-error.ts'
import { readCitation } from './citations.ts'
import { generationError, readFinish } from './finish-reason.ts'
import { NO_ARGUMENTS } from './read-response.ts'
import { readUsage } from './usage.ts'
import type { CohereAnswer, CohereCall, CohereCitation, CohereEnd, CohereEvent, CohereThought } from './wire.ts'

export const readStream = (): EventReader => new CohereStreamReader()

/** Some deployments send it after the last event. */
const DONE = '[DONE]'

interface OpenCall {
  key: string
  opening: ResponsePart & { kind: 'tool_call' }
  /** Arguments that may be `null`, which stands for none. */
  held: string
  has_arguments: boolean
}

class CohereStreamReader implements EventReader {
  readonly #parts = new PartTracker(0)
  readonly #calls = new Map<number, OpenCall>()
  /** The key of the text that citations are about. */
  #text = ''
  #finished = false

  read(data: string): StreamEvent[] {
    if (data === DONE) return []
    const parsed = parsedOrUndefined(data)
    if (!isObject(parsed)) return [{ kind: 'error', failure: unreadable }]
    const event = objectOf<CohereEvent>(parsed)
    const delta = objectOf<NonNullable<CohereEvent['delta']>>(event.delta)
    const message = objectOf<CohereAnswer>(delta.message)
    const index = numberOf(event.index) ?? 0
    switch (event.type) {
      case 'message-start':
        return [{ kind: 'start', id: textOf(event.id), model: '' }]
      case 'content-start':
      case 'content-delta':
        return this.#content(index, objectOf<CohereThought>(message.content))
      case 'tool-plan-delta':
        return this.#add('plan', { kind: 'thinking', text: '' }, textOf(message.tool_plan))
      case 'tool-call-start':
        return this.#startCall(index, objectOf<CohereCall>(message.tool_calls))
      case 'tool-call-delta':
        return this.#addArguments(index, argumentsIn(message.tool_calls))
      case 'tool-call-end':
        return this.#endCall(index)
      case 'citation-start':
        return this.#cite(objectOf<CohereCitation>(message.citations))
      case 'message-end':
        return this.#end(delta)
      default:
        return this.#other(event)
    }
  }

  end(): StreamEvent[] {
    return this.#finished ? [{ kind: 'end' }] : []
  }

  /** An error has no type; an event of an unknown type is ignored. */
  #other(event: UnreadFields<CohereEvent>): StreamEvent[] {
    return event.type === undefined ? [{ kind: 'error', failure: readError(event) ?? unreadable }] : []
  }

  #content(index: number, { text, thinking }: UnreadFields<CohereThought>): StreamEvent[] {
    const key = `content ${index}`
    if (typeof thinking === 'string' && thinking) return this.#add(key, { kind: 'thinking', text: '' }, thinking)
    if (!textOf(text)) return []
    this.#text = key
    return this.#add(key, { kind: 'text', text: '' }, textOf(text))
  }

  #add(key: string, opening: ResponsePart, text: string): StreamEvent[] {
    if (key !== this.#text) this.#text = ''
    return text ? this.#parts.add(key, opening, [{ text }]) : []
  }

  #startCall(index: number, call: UnreadFields<CohereCall>): StreamEvent[] {
    const { name, arguments: text } = objectOf<CohereCall['function']>(call.function)
    const opening = { kind: 'tool_call', id: textOf(call.id), name: textOf(name), arguments: '' } as const
    const key = `call ${index} ${opening.id}`
    this.#text = ''
    this.#calls.set(index, { key, opening, held: '', has_arguments: false })
    return [...this.#parts.add(key, opening, []), ...this.#addArguments(index, textOf(text))]
  }

  #addArguments(index: number, text: string): StreamEvent[] {
    const call = this.#calls.get(index)
    if (!call || !text) return []
    call.held += text
    return !call.has_arguments && NO_ARGUMENTS.startsWith(call.held) ? [] : this.#flush(call)
  }

  #flush(call: OpenCall): StreamEvent[] {
    const { key, opening, held } = call
    call.has_arguments = true
    call.held = ''
    return this.#parts.add(key, opening, [{ arguments: held }])
  }

  #endCall(index: number): StreamEvent[] {
    const call = this.#calls.get(index)
    this.#calls.delete(index)
    if (!call || call.has_arguments) return []
    if (!call.held || call.held === NO_ARGUMENTS) call.held = '{}'
    return this.#flush(call)
  }

  /** Citations follow the passage that they are about. */
  #cite(citation: UnreadFields<CohereCitation>): StreamEvent[] {
    if (!this.#text) return []
    const deltas: Delta[] = readCitation(citation).map(citation => ({ citation }))
    return deltas.length ? this.#parts.add(this.#text, { kind: 'text', text: '' }, deltas) : []
  }

  #end({ finish_reason, error, usage: report }: UnreadFields<CohereEnd>): StreamEvent[] {
    const doubts: string[] = []
    const usage = readUsage(report, doubts)
    const reported: StreamEvent[] = usage ? [{ kind: 'usage', usage, doubts }] : []
    const failure = generationError(error ? 'ERROR' : finish_reason, error)
    // A prompt without an output is not billed.
    if (failure) return [...(usage?.output ? reported : []), { kind: 'error', failure }]
    this.#finished = true
    const open = [...this.#calls.keys()].flatMap(index => this.#endCall(index))
    const finish = readFinish(finish_reason, this.#parts.called)
    return [...open, ...this.#parts.closeAll(), { kind: 'finish', choice: 0, finish }, ...reported, { kind: 'end' }]
  }
}

const argumentsIn = (call: unknown): string =>
  textOf(objectOf<CohereCall['function']>(objectOf<CohereCall>(call).function).arguments)
