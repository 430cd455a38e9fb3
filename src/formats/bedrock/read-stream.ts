/**
 * Reads the events of ConverseStream: `{ "<event type>": payload }`.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html (read 2026-11)
 */
import { parsedOrUndefined } from '../../pure/json.ts'
import { unreadable } from '../canonical/api-error.ts'
import type { Delta, ResponsePart, StreamEvent } from '../canonical/chat.ts'
import { DeltaFastPath } from '../delta-fast-path.ts'
import type { EventReader } from '../format.ts'
import { isObject } from '../json/checks.ts'
import { numberOf, objectOf, textOf, type UnreadFields } from '../json/lenient-json.ts'
import { readError } from './api-error.ts'
import { readFinish } from './finish-reason.ts'
import { readCall, redactedThought } from './read-response.ts'
import { readUsage } from './usage.ts'
import type { ConverseCall, ConverseDelta, ConverseEvent } from './wire.ts'

export const readStream = (): EventReader => new ConverseStreamReader()

/** Random letters at the end of an event, so that its length does not reveal that of the output. */
const PADDING = /,"p":"\w*"\}\}$/

type Start = NonNullable<ConverseEvent['start']>
type Thought = NonNullable<ConverseDelta['reasoningContent']>

interface OpenBlock {
  part: number
  /** A tool call without arguments so far. */
  awaits_arguments: boolean
}

class ConverseStreamReader implements EventReader {
  readonly #blocks = new Map<number, OpenBlock>()
  #parts = 0
  #finished = false
  readonly #fastPath = new DeltaFastPath()

  read(padded: string): StreamEvent[] {
    const data = padded.replace(PADDING, '}}')
    const delta = this.#fastPath.read(data)
    return delta ? [delta] : this.#fastPath.learn(data, this.#parse(data))
  }

  #parse(data: string): StreamEvent[] {
    const event = parsedOrUndefined(data)
    if (!isObject(event)) return [{ kind: 'error', failure: unreadable }]
    if (isObject(event.error)) return [{ kind: 'error', failure: readError(event) ?? unreadable }]
    const [type = '', payload] = Object.entries(event)[0] ?? []
    return this.#readEvent(type, objectOf<ConverseEvent>(payload))
  }

  #readEvent(type: string, payload: UnreadFields<ConverseEvent>): StreamEvent[] {
    const index = numberOf(payload.contentBlockIndex) ?? 0
    switch (type) {
      case 'messageStart':
        return [{ kind: 'start', id: '', model: '' }]
      case 'contentBlockStart':
        return this.#start(index, payload.start)
      case 'contentBlockDelta':
        return this.#add(index, objectOf<ConverseDelta>(payload.delta))
      case 'contentBlockStop':
        return this.#close(index)
      case 'messageStop':
        this.#finished = true
        return [{ kind: 'finish', choice: 0, finish: readFinish(payload.stopReason) }]
      case 'metadata':
        return [...this.#report(payload.usage), ...this.end()]
      default:
        return []
    }
  }

  /** The usage follows the finish; a stream without it has none. */
  end(): StreamEvent[] {
    return this.#finished ? [{ kind: 'end' }] : []
  }

  #report(report: unknown): StreamEvent[] {
    const doubts: string[] = []
    const usage = readUsage(report, doubts)
    return usage ? [{ kind: 'usage', usage, doubts }] : []
  }

  /** Only tool calls have an event of their own for their beginning. */
  #start(index: number, start: unknown): StreamEvent[] {
    const toolUse = objectOf<ConverseCall>(objectOf<Start>(start).toolUse)
    return 'name' in toolUse ? this.#open(index, { ...readCall(toolUse), arguments: '' }) : []
  }

  #open(index: number, opening: ResponsePart): StreamEvent[] {
    const part = this.#parts++
    this.#blocks.set(index, { part, awaits_arguments: opening.kind === 'tool_call' })
    return [{ kind: 'open', choice: 0, part, opening }]
  }

  #add(index: number, delta: UnreadFields<ConverseDelta>): StreamEvent[] {
    if (isObject(delta.toolUse)) return this.#arguments(index, textOf(objectOf<ConverseCall>(delta.toolUse).input))
    if (isObject(delta.reasoningContent)) return this.#think(index, delta.reasoningContent)
    return typeof delta.text === 'string' ? this.#grow(index, { kind: 'text', text: '' }, { text: delta.text }) : []
  }

  #think(index: number, { text, signature, redactedContent }: UnreadFields<Thought>): StreamEvent[] {
    if (typeof redactedContent === 'string') return this.#open(index, redactedThought(redactedContent))
    const opening = { kind: 'thinking', text: '' } as const
    if (typeof text === 'string') return this.#grow(index, opening, { text })
    const value = textOf(signature)
    return value ? this.#grow(index, opening, { signature: { owner: 'bedrock', value } }) : []
  }

  #grow(index: number, opening: ResponsePart, delta: Delta): StreamEvent[] {
    const opened = this.#blocks.has(index) ? [] : this.#open(index, opening)
    return [...opened, { kind: 'delta', choice: 0, part: this.#blocks.get(index)!.part, delta }]
  }

  #arguments(index: number, text: string): StreamEvent[] {
    const block = this.#blocks.get(index)
    if (!block || !text) return []
    block.awaits_arguments = false
    return [{ kind: 'delta', choice: 0, part: block.part, delta: { arguments: text } }]
  }

  /** A call without arguments may have no delta at all. */
  #close(index: number): StreamEvent[] {
    const block = this.#blocks.get(index)
    if (!block) return []
    this.#blocks.delete(index)
    const { part, awaits_arguments } = block
    const empty: StreamEvent[] = awaits_arguments
      ? [{ kind: 'delta', choice: 0, part, delta: { arguments: '{}' } }]
      : []
    return [...empty, { kind: 'close', choice: 0, part }]
  }
}
