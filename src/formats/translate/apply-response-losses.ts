/** Reduces a response to what the client's format can carry, by the losses of that format. */
import { addTo } from '../canonical/assemble.ts'
import type { ChatResponse, FunctionTool, ResponsePart, StreamEvent, ToolCall } from '../canonical/chat.ts'
import { splitPart } from '../canonical/split-part.ts'
import type { ChatClientFormat } from '../format.ts'
import { inputIn } from './custom-tools.ts'
import type { FormatPair } from './format-pair.ts'
import { nameWithout } from './namespaces.ts'
import { toolCalled } from './tool-names.ts'
import { uniqueCallIds } from './well-formed.ts'

export function applyResponseLosses(response: ChatResponse, pair: FormatPair): ChatResponse {
  const named = uniqueCallIds()
  const choices = response.choices.map(choice => ({
    ...choice,
    parts: choice.parts.flatMap(part => visiblePart(named(part), pair) ?? []),
    ...(hidesLogprobs(pair) && { logprobs: undefined }),
  }))
  return { ...response, choices }
}

const hidesLogprobs = ({ client }: FormatPair): boolean => 'logprobs' in client.limits.losses.omitted

/** @returns the part as the client's format has it; undefined when it has none */
function visiblePart(part: ResponsePart, pair: FormatPair): ResponsePart | undefined {
  return isEmpty(part, pair.client) ? undefined : knownPart(part, pair)
}

/**
 * Whether a part has nothing that the client's format carries: Gemini ends a response with an empty text that may have a
 * signature. https://ai.google.dev/gemini-api/docs/thought-signatures (read 2026-11)
 */
function isEmpty(part: ResponsePart, { limits }: ChatClientFormat): boolean {
  switch (part.kind) {
    case 'text':
      // Only Gemini signs texts, and only its clients send such a signature back without a text.
      return !part.text && !(part.signature && limits.owner === 'gemini')
    case 'thinking':
      // Only OpenAI refers to a thought by its id.
      return !part.text && !part.signature && (part.id === undefined || limits.owner !== 'openai')
    case 'refusal':
      return !part.text
    default:
      return false
  }
}

/** The same for a part with content. */
function knownPart(part: ResponsePart, { client, upstream, label }: FormatPair): ResponsePart | undefined {
  if (part.kind in client.limits.losses.omitted) return undefined
  if (part.kind === 'tool_call')
    return asDeclared(part, toolCalled(part.name, upstream.limits.tool_name, label.request))
  if (part.kind !== 'native' || part.format === client.name) return part
  return part.text === undefined ? undefined : { kind: 'text', text: part.text }
}

function asDeclared(call: ToolCall, tool: FunctionTool | undefined): ToolCall {
  if (!tool) return call
  const { namespace, finds_tools, freeform: custom } = tool
  const name = namespace ? nameWithout(namespace, tool.name) : tool.name
  const changes = name !== call.name || finds_tools
  const declared = changes
    ? { ...call, name, ...(namespace && { namespace }), ...(finds_tools && { finds_tools }) }
    : call
  return custom ? { ...declared, custom, arguments: call.arguments && inputIn(call.arguments) } : declared
}

type Write = (event: StreamEvent) => string

/** The same for the events of one stream. @param write gets the events that remain */
export function applyEventLosses(pair: FormatPair, write: Write): Write {
  const stream = new ReducedEvents(pair, write)
  return event => stream.push(event)
}

type PartEvent = StreamEvent & { kind: 'delta' | 'close' }

interface EmptyPart {
  opened: StreamEvent & { kind: 'open' }
  part: ResponsePart
  deltas: PartEvent[]
}

class ReducedEvents {
  /** Open parts that the client's format omits. */
  readonly #omitted = new Set<string>()
  /** Parts without content so far: most begin so, and those that stay so are left out. */
  readonly #empty = new Map<string, EmptyPart>()
  /** Arguments of open calls of custom tools, whose text is known when they are complete. */
  readonly #custom = new Map<string, string>()

  constructor(
    private readonly pair: FormatPair,
    private readonly write: Write,
  ) {}

  push(event: StreamEvent): string {
    switch (event.kind) {
      case 'logprobs':
        return hidesLogprobs(this.pair) ? '' : this.write(event)
      case 'open':
        return this.#open(event)
      case 'delta':
      case 'close':
        return this.#continue(event)
      default:
        return this.write(event)
    }
  }

  #open(event: StreamEvent & { kind: 'open' }): string {
    if (isEmpty(event.opening, this.pair.client)) {
      this.#empty.set(keyOf(event), { opened: event, part: structuredClone(event.opening), deltas: [] })
      return ''
    }
    return this.#openKnown(event)
  }

  #openKnown(event: StreamEvent & { kind: 'open' }): string {
    const part = knownPart(event.opening, this.pair)
    if (part === event.opening) return this.write(event)
    if (!part) {
      this.#omitted.add(keyOf(event))
      return ''
    }
    if (part.kind === 'tool_call' && part.custom) this.#custom.set(keyOf(event), '')
    const { opening, deltas } = splitPart(part)
    const { choice, part: index } = event
    const opened = this.write({ ...event, opening })
    return opened + deltas.map(delta => this.write({ kind: 'delta', choice, part: index, delta })).join('')
  }

  /** Nearly all events of a stream come here, and nearly none is changed. */
  #continue(event: PartEvent): string {
    if (!this.#empty.size && !this.#omitted.size && !this.#custom.size) return this.write(event)
    const key = keyOf(event)
    const empty = this.#empty.get(key)
    if (empty) return this.#fill(empty, event, key)
    const text = this.#custom.get(key)
    if (text !== undefined) return this.#continueCustom(event, key, text)
    if (!this.#omitted.has(key)) return this.write(event)
    if (event.kind === 'close') this.#omitted.delete(key)
    return ''
  }

  #fill({ opened, part, deltas }: EmptyPart, event: PartEvent, key: string): string {
    if (event.kind === 'delta') {
      addTo(part, event.delta)
      deltas.push(event)
      if (isEmpty(part, this.pair.client)) return ''
    }
    this.#empty.delete(key)
    if (event.kind === 'close') return ''
    return this.#openKnown(opened) + deltas.map(delta => this.#continue(delta)).join('')
  }

  #continueCustom(event: PartEvent, key: string, text: string): string {
    if (event.kind === 'delta') {
      if ('arguments' in event.delta) this.#custom.set(key, text + event.delta.arguments)
      return ''
    }
    this.#custom.delete(key)
    return this.write({ ...event, kind: 'delta', delta: { arguments: inputIn(text) } }) + this.write(event)
  }
}

const keyOf = ({ choice, part }: { choice: number; part: number }) => `${choice}/${part}`
