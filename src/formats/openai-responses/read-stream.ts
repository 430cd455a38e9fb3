import type { Json } from '../../pure/json.ts'
import { unreadable } from '../canonical/api-error.ts'
import type { Delta, ResponsePart, StreamEvent } from '../canonical/chat.ts'
import { splitPart } from '../canonical/split-part.ts'
import type { EventReader } from '../format.ts'
import { isObject } from '../json/checks.ts'
import { numberOf, objectOf, objectsOf, parsed, textOf } from '../json/lenient-json.ts'
import { readError } from './api-error.ts'
import { readAnnotation } from './citations.ts'
import { readContentPart, readFinish, readItem, readReasoning, readTokens, toolsIn } from './read-response.ts'
import { readUsage } from './usage.ts'

export const readStream = (): EventReader => new ResponseEvents()

interface Open {
  part: number
  /** Whether anything was added since it began: what came in pieces does not come again when it is done. */
  told: boolean
}

class ResponseEvents implements EventReader {
  #started = false
  #next = 0
  #called = false
  #tokens = false
  readonly #open = new Map<string, Open>()

  read(data: string): StreamEvent[] {
    const event = parsed(data)
    if (!isObject(event)) return [{ kind: 'error', failure: unreadable }]
    const type = textOf(event.type)
    const failure = type === 'error' || type === 'response.failed' ? readError(event, 0) : undefined
    if (failure) return [{ kind: 'error', failure }]
    return isObject(event.response) ? this.#response(type, event.response) : this.#read(type, event)
  }

  /** The last event is a word of its own: without it the answer was cut off. */
  end(): StreamEvent[] {
    return []
  }

  #response(type: string, response: Json): StreamEvent[] {
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
    const usage = readUsage(response.usage, doubts)
    const tools = toolsIn(objectsOf(response.output))
    return [
      ...[...this.#open.keys()].flatMap(key => this.#close(key)),
      { kind: 'finish', choice: 0, finish: readFinish(response, this.#called) },
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
        return this.#close(content)
      case 'response.output_text.delta':
        return [...this.#add(content, { text: textOf(event.delta) }, emptyText), ...this.#note(event.logprobs)]
      case 'response.output_text.done':
        return this.#tokens ? [] : this.#note(event.logprobs)
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

  #note(logprobs: unknown): StreamEvent[] {
    const tokens = readTokens(logprobs)
    if (!tokens.length) return []
    this.#tokens = true
    return [{ kind: 'logprobs', choice: 0, tokens }]
  }

  /** A message opens with its parts, and what is done in one step opens when it is done. */
  #openItem(key: string, item: Json): StreamEvent[] {
    if (item.type === 'reasoning') return this.#begin(key, { ...readReasoning(item), text: '', signature: undefined })
    if (item.type !== 'function_call') return []
    this.#called = true
    return readItem(item).flatMap(part =>
      this.#begin(key, part.kind === 'tool_call' ? { ...part, arguments: '' } : part),
    )
  }

  #closeItem(key: string, item: Json): StreamEvent[] {
    if (item.type === 'message') {
      const open = [...this.#open.keys()].filter(part => part.startsWith(`${key}/`))
      return open.flatMap(part => this.#close(part))
    }
    const opened = this.#open.get(key)
    const [part] = readItem(item)
    if (!part) return []
    return opened
      ? [...this.#complete(key, opened, part), ...this.#close(key)]
      : [...this.#begin(key, part), ...this.#close(key)]
  }

  /** What the pieces have not told. */
  #complete(key: string, { told }: Open, part: ResponsePart): StreamEvent[] {
    if (part.kind === 'tool_call' && !told && part.arguments) return this.#add(key, { arguments: part.arguments })
    if (part.kind !== 'thinking') return []
    const text = told || !part.text ? [] : this.#add(key, { text: part.text })
    return part.signature ? [...text, ...this.#add(key, { signature: part.signature })] : text
  }

  #begin(key: string, whole: ResponsePart): StreamEvent[] {
    const part = this.#next++
    const { opening, deltas } = splitPart(whole)
    this.#open.set(key, { part, told: deltas.length > 0 })
    if (opening.kind === 'tool_call') this.#called = true
    return [
      { kind: 'open', choice: 0, part, opening },
      ...deltas.map(delta => ({ kind: 'delta', choice: 0, part, delta }) as const),
    ]
  }

  /** @param implied what is opened by this where it was not announced */
  #add(key: string, delta: Delta, implied?: ResponsePart): StreamEvent[] {
    const begun = this.#open.has(key) || !implied ? [] : this.#begin(key, implied)
    const open = this.#open.get(key)
    if (!open || Object.values(delta)[0] === '') return begun
    open.told = true
    return [...begun, { kind: 'delta', choice: 0, part: open.part, delta }]
  }

  #close(key: string): StreamEvent[] {
    const open = this.#open.get(key)
    this.#open.delete(key)
    return open ? [{ kind: 'close', choice: 0, part: open.part }] : []
  }
}

const emptyText: ResponsePart = { kind: 'text', text: '' }
