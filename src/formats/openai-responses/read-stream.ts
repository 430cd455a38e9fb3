/**
 * Reads the server-sent events of a streamed response as StreamEvents.
 * https://platform.openai.com/docs/api-reference/responses-streaming (read 2026-11)
 */
import { type Json, parsedOrUndefined } from '../../pure/json.ts'
import { unreadable } from '../canonical/api-error.ts'
import type { ApiError, Delta, FailureFrame, ResponsePart, StreamEvent } from '../canonical/chat.ts'
import { splitPart } from '../canonical/split-part.ts'
import type { EventReader } from '../format.ts'
import { isObject } from '../json/checks.ts'
import { numberOf, objectOf, objectsOf, textOf } from '../json/lenient-json.ts'
import { readError } from './api-error.ts'
import { readAnnotation } from './citations.ts'
import { countToolCalls, readContentPart, readFinish, readItem, readReasoning, readTokens } from './read-response.ts'
import { citationsIn, resultsIn } from './search-results.ts'
import { madeIn } from './stored-places.ts'
import { readUsage } from './usage.ts'
import { writeFailure } from './write-failure.ts'

export const readStream = (): EventReader => new ResponsesStreamReader()

interface OpenPart {
  part: number
  /** Whether a delta came: the `done` event repeats what deltas contained. */
  has_deltas: boolean
}

class ResponsesStreamReader implements EventReader {
  #started = false
  #next = 0
  #hasToolCalls = false
  #hasLogprobs = false
  readonly #open = new Map<string, OpenPart>()
  readonly #begun = new Set<string>()
  /** Results of the searches so far. */
  readonly #results: Json[] = []
  /** The response as its events had it last. */
  #head: Json = {}
  /** Items that are complete. */
  readonly #items: Json[] = []
  #next_number = 0

  read(data: string): StreamEvent[] {
    const event = parsedOrUndefined(data)
    if (!isObject(event)) return [{ kind: 'error', failure: unreadable }]
    const type = textOf(event.type)
    // Compatible servers end a stream with an error object that has no type.
    const failure = type === '' || type === 'error' || type === FAILED ? readError(event, 0) : undefined
    if (failure) return [{ kind: 'error', failure, frame: frameOf(type, event) }]
    this.#next_number = (numberOf(event.sequence_number) ?? this.#next_number) + 1
    return isObject(event.response) ? this.#response(type, event.response) : this.#read(type, event)
  }

  /** Without its terminal event a stream is incomplete. */
  end(): StreamEvent[] {
    return []
  }

  fail = (failure: ApiError): string => writeFailure({ ...this.#head, output: this.#items }, failure, this.#next_number)

  /** Some servers leave the items out of the last event. */
  made = (is_stored: boolean) => madeIn(this.#items.length ? this.#items : objectsOf(this.#head.output), is_stored)

  #response(type: string, response: Json): StreamEvent[] {
    this.#head = response
    const { id, model, created_at } = response
    const start: StreamEvent[] = this.#started
      ? []
      : [{ kind: 'start', id: textOf(id), model: textOf(model), created: numberOf(created_at) }]
    this.#started = true
    const isLast = type === 'response.completed' || type === 'response.incomplete'
    return isLast ? [...start, ...this.#finish(response)] : start
  }

  #finish(response: Json): StreamEvent[] {
    const doubts: string[] = []
    const usage = readUsage(response.usage, doubts, response.service_tier)
    const tools = countToolCalls(objectsOf(response.output), response.usage)
    return [
      ...[...this.#open.keys()].flatMap(key => this.#close(key)),
      { kind: 'finish', choice: 0, finish: readFinish(response, this.#hasToolCalls) },
      ...(usage ? [{ kind: 'usage', usage: { ...usage, tools }, doubts } as const] : []),
      { kind: 'end' },
    ]
  }

  #read(type: string, event: Json): StreamEvent[] {
    const item = `${numberOf(event.output_index)}`
    const content = `${item}/${numberOf(event.content_index) ?? 0}`
    switch (type) {
      case 'response.output_item.added':
        return this.#openItem(item, objectOf(event.item))
      case 'response.output_item.done':
        return this.#closeItem(item, objectOf(event.item))
      case 'response.content_part.added':
        return readContentPart(objectOf(event.part)).flatMap(part => this.#begin(content, part))
      case 'response.content_part.done':
        return [...this.#completeContent(content, objectOf(event.part)), ...this.#close(content)]
      case 'response.output_text.delta':
        return [...this.#add(content, { text: textOf(event.delta) }, emptyText), ...this.#logprobs(event.logprobs)]
      case 'response.output_text.done':
        return this.#hasLogprobs ? [] : this.#logprobs(event.logprobs)
      case 'response.output_text.annotation.added':
        return this.#add(content, { citation: readAnnotation(objectOf(event.annotation)) }, emptyText)
      case 'response.refusal.delta':
        return this.#add(content, { text: textOf(event.delta) }, { kind: 'refusal', text: '' })
      case 'response.function_call_arguments.delta':
        return this.#add(item, { arguments: textOf(event.delta) })
      case 'response.reasoning_summary_part.added':
        return numberOf(event.summary_index) ? this.#add(item, { text: '\n\n' }) : []
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return this.#add(item, { text: textOf(event.delta) })
      default:
        return []
    }
  }

  #logprobs(logprobs: unknown): StreamEvent[] {
    const tokens = readTokens(logprobs)
    if (!tokens.length) return []
    this.#hasLogprobs = true
    return [{ kind: 'logprobs', choice: 0, tokens }]
  }

  /** Messages open with their content parts. Items without deltas open when they are done. */
  #openItem(key: string, item: Json): StreamEvent[] {
    if (item.type === 'reasoning') return this.#begin(key, { ...readReasoning(item), text: '', signature: undefined })
    if (item.type !== 'function_call') return []
    this.#hasToolCalls = true
    return readItem(item).flatMap(part =>
      this.#begin(key, part.kind === 'tool_call' ? { ...part, arguments: '' } : part),
    )
  }

  #closeItem(key: string, item: Json): StreamEvent[] {
    this.#items.push(item)
    if (item.type === 'message') {
      const content = objectsOf(item.content).flatMap((part, index) => this.#finishContent(`${key}/${index}`, part))
      const open = [...this.#open.keys()].filter(part => part.startsWith(`${key}/`))
      return [...content, ...open.flatMap(part => this.#close(part))]
    }
    this.#results.push(...resultsIn(item))
    const opened = this.#open.get(key)
    const [part] = readItem(item)
    if (!part) return []
    return opened
      ? [...this.#complete(key, opened, part), ...this.#close(key)]
      : [...this.#begin(key, part), ...this.#close(key)]
  }

  /** Some servers send a message when it is done and no deltas of it. */
  #finishContent(key: string, part: Json): StreamEvent[] {
    const events = this.#begun.has(key)
      ? this.#completeContent(key, part)
      : readContentPart(part).flatMap(content => this.#begin(key, content))
    return [...events, ...this.#cite(key, part)]
  }

  #completeContent(key: string, part: Json): StreamEvent[] {
    if (this.#open.get(key)?.has_deltas !== false) return []
    return readContentPart(part).flatMap(content =>
      'text' in content ? this.#add(key, { text: content.text ?? '' }) : [],
    )
  }

  #cite(key: string, part: Json): StreamEvent[] {
    return citationsIn(part, this.#results).flatMap(citation => this.#add(key, { citation }))
  }

  /** Content of a finished item that no delta contained. */
  #complete(key: string, { has_deltas }: OpenPart, part: ResponsePart): StreamEvent[] {
    if (part.kind === 'tool_call' && !has_deltas && part.arguments) return this.#add(key, { arguments: part.arguments })
    if (part.kind !== 'thinking') return []
    const text = has_deltas || !part.text ? [] : this.#add(key, { text: part.text })
    return part.signature ? [...text, ...this.#add(key, { signature: part.signature })] : text
  }

  #begin(key: string, whole: ResponsePart): StreamEvent[] {
    const part = this.#next++
    const { opening, deltas } = splitPart(whole)
    this.#open.set(key, { part, has_deltas: deltas.length > 0 })
    this.#begun.add(key)
    if (opening.kind === 'tool_call') this.#hasToolCalls = true
    return [
      { kind: 'open', choice: 0, part, opening },
      ...deltas.map(delta => ({ kind: 'delta', choice: 0, part, delta }) as const),
    ]
  }

  /** @param implied the part to open when no event announced it */
  #add(key: string, delta: Delta, implied?: ResponsePart): StreamEvent[] {
    const opened = this.#open.has(key) || !implied ? [] : this.#begin(key, implied)
    const open = this.#open.get(key)
    if (!open || Object.values(delta)[0] === '') return opened
    open.has_deltas = true
    return [...opened, { kind: 'delta', choice: 0, part: open.part, delta }]
  }

  #close(key: string): StreamEvent[] {
    const open = this.#open.get(key)
    this.#open.delete(key)
    return open ? [{ kind: 'close', choice: 0, part: open.part }] : []
  }
}

const FAILED = 'response.failed'

/** OpenAI sends `error` and then `response.failed`. */
function frameOf(type: string, event: Json): FailureFrame | undefined {
  if (type === '') return undefined
  return type === FAILED
    ? { words: objectOf(objectOf(event.response).error), is_last: true }
    : { words: event, is_last: false }
}

const emptyText: ResponsePart = { kind: 'text', text: '' }
