/** An answer as far as its caller can be told it: by the table of losses. */
import type { ChatResponse, FunctionTool, ResponsePart, StreamEvent, ToolCall } from '../canonical/chat.ts'
import { splitPart } from '../canonical/split-part.ts'
import { inputIn } from './custom-tools.ts'
import { losses } from './losses.ts'
import type { Route } from './route.ts'
import { calledBy } from './tool-names.ts'

export function applyResponseLosses(answer: ChatResponse, route: Route): ChatResponse {
  const choices = answer.choices.map(choice => ({
    ...choice,
    parts: choice.parts.flatMap(part => told(part, route) ?? []),
    ...(hidesLogprobs(route) && { logprobs: undefined }),
  }))
  return { ...answer, choices }
}

const hidesLogprobs = ({ caller }: Route): boolean => 'logprobs' in losses[caller.name].untold

/** What of a part a caller is told. */
function told(part: ResponsePart, { caller: { name }, upstream, label }: Route): ResponsePart | undefined {
  if (part.kind in losses[name].untold) return undefined
  if (part.kind === 'tool_call') return asCallerKnows(part, calledBy(part.name, upstream.name, label.request))
  if (part.kind !== 'native' || part.format === name) return part
  return part.text === undefined ? undefined : { kind: 'text', text: part.text }
}

function asCallerKnows(call: ToolCall, tool: FunctionTool | undefined): ToolCall {
  if (!tool) return call
  const { name, freeform: custom } = tool
  if (!custom) return name === call.name ? call : { ...call, name }
  return { ...call, name, custom, arguments: call.arguments && inputIn(call.arguments) }
}

type Tell = (event: StreamEvent) => string

/** Goes through the events of one stream. @param tell what of them the caller is told */
export function applyEventLosses(route: Route, tell: Tell): Tell {
  const stream = new FittedEvents(route, tell)
  return event => stream.push(event)
}

class FittedEvents {
  /** Open parts that the caller is not told of. */
  readonly #untold = new Set<string>()
  /** Arguments of which only a text within is told: they wait until they are whole. */
  readonly #waiting = new Map<string, string>()

  constructor(
    private readonly route: Route,
    private readonly tell: Tell,
  ) {}

  push(event: StreamEvent): string {
    switch (event.kind) {
      case 'logprobs':
        return hidesLogprobs(this.route) ? '' : this.tell(event)
      case 'open':
        return this.#open(event)
      case 'delta':
      case 'close':
        return this.#goOn(event)
      default:
        return this.tell(event)
    }
  }

  #open(event: StreamEvent & { kind: 'open' }): string {
    const part = told(event.opening, this.route)
    if (part === event.opening) return this.tell(event)
    if (!part) {
      this.#untold.add(keyOf(event))
      return ''
    }
    if (part.kind === 'tool_call' && part.custom) this.#waiting.set(keyOf(event), '')
    const { opening, deltas } = splitPart(part)
    const { choice, part: index } = event
    const begun = this.tell({ ...event, opening })
    return begun + deltas.map(delta => this.tell({ kind: 'delta', choice, part: index, delta })).join('')
  }

  /** Nearly all events of a stream come through here, and nearly none of them is kept back. */
  #goOn(event: StreamEvent & { kind: 'delta' | 'close' }): string {
    if (!this.#untold.size && !this.#waiting.size) return this.tell(event)
    const key = keyOf(event)
    const text = this.#waiting.get(key)
    if (text !== undefined) return this.#wait(event, key, text)
    if (!this.#untold.has(key)) return this.tell(event)
    if (event.kind === 'close') this.#untold.delete(key)
    return ''
  }

  #wait(event: StreamEvent & { kind: 'delta' | 'close' }, key: string, text: string): string {
    if (event.kind === 'delta') {
      if ('arguments' in event.delta) this.#waiting.set(key, text + event.delta.arguments)
      return ''
    }
    this.#waiting.delete(key)
    return this.tell({ ...event, kind: 'delta', delta: { arguments: inputIn(text) } }) + this.tell(event)
  }
}

const keyOf = ({ choice, part }: { choice: number; part: number }) => `${choice}/${part}`
