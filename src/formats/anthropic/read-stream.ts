/**
 * Reads the server-sent events of a streamed message as StreamEvents.
 * https://docs.anthropic.com/en/api/messages-streaming (read 2026-11)
 */
import { type Json, parsedOrUndefined } from '../../pure/json.ts'
import { unreadable } from '../canonical/api-error.ts'
import type { StreamEvent } from '../canonical/chat.ts'
import { splitPart } from '../canonical/split-part.ts'
import { DeltaFastPath } from '../delta-fast-path.ts'
import type { EventReader } from '../format.ts'
import { isObject } from '../json/checks.ts'
import { numberOf, objectOf, textOf } from '../json/lenient-json.ts'
import { readError } from './api-error.ts'
import { readCitation } from './citations.ts'
import { readFinish } from './finish-reason.ts'
import { readBlock } from './read-response.ts'
import { isCodeResult, madeIn } from './stored-places.ts'
import { readUsage } from './usage.ts'

export const readStream = (): EventReader => new AnthropicStreamReader()

interface OpenBlock {
  part: number
  /** A tool call without argument deltas so far. A call without arguments may have none at all. */
  awaits_arguments: boolean
}

class AnthropicStreamReader implements EventReader {
  readonly #blocks = new Map<number, OpenBlock>()
  #parts = 0
  /** Usage fields merged from message_start and message_delta: later reports contain only what changed. */
  #report: Json = {}
  #finished = false
  #container: unknown
  /** What code has printed and written. */
  #results: Json[] | undefined
  readonly #fastPath = new DeltaFastPath()

  read(data: string): StreamEvent[] {
    const delta = this.skim(data)
    return delta ? [delta] : this.#fastPath.learn(data, this.#parse(data))
  }

  skim = (data: string, from = 0, to = data.length) => this.#fastPath.read(data, from, to)

  #parse(data: string): StreamEvent[] {
    const event = parsedOrUndefined(data)
    if (!isObject(event)) return [{ kind: 'error', failure: unreadable }]
    switch (event.type) {
      case 'message_start':
        return this.#start(objectOf(event.message))
      case 'content_block_start':
        return this.#open(numberOf(event.index) ?? 0, objectOf(event.content_block))
      case 'content_block_delta':
        return this.#add(numberOf(event.index) ?? 0, objectOf(event.delta))
      case 'content_block_stop':
        return this.#close(numberOf(event.index) ?? 0)
      case 'message_delta':
        return this.#finish(objectOf(event.delta), event.usage)
      case 'message_stop':
        return [{ kind: 'end' }]
      case 'error':
        return [{ kind: 'error', failure: readError(event) ?? unreadable, frame: { words: event, is_last: true } }]
      default:
        // A proxy in front of Anthropic ends a stream with an error object that has no type.
        return isObject(event.error) ? [{ kind: 'error', failure: readError(event) ?? unreadable }] : []
    }
  }

  end(): StreamEvent[] {
    return this.#finished ? [{ kind: 'end' }] : []
  }

  made = () => madeIn(this.#container, this.#results ?? [])

  #start({ id, model, usage, container }: Json): StreamEvent[] {
    this.#container = container
    this.#report = objectOf(usage)
    const reported = readUsage(usage, [])
    return [{ kind: 'start', id: textOf(id), model: textOf(model), ...(reported && { usage: reported }) }]
  }

  #open(index: number, block: Json): StreamEvent[] {
    const content = readBlock(block)
    if (content.kind === 'native' && isCodeResult(block)) this.#results = [...(this.#results ?? []), block]
    const part = this.#parts++
    const awaits_arguments = content.kind === 'tool_call' && content.arguments === '{}'
    this.#blocks.set(index, { part, awaits_arguments })
    const { opening, deltas } = splitPart(awaits_arguments ? { ...content, arguments: '' } : content)
    return [
      { kind: 'open', choice: 0, part, opening },
      ...deltas.map(delta => ({ kind: 'delta', choice: 0, part, delta }) as const),
    ]
  }

  #add(index: number, delta: Json): StreamEvent[] {
    const block = this.#blocks.get(index)
    if (!block) return []
    const event = { kind: 'delta', choice: 0, part: block.part } as const
    switch (delta.type) {
      case 'text_delta':
        return [{ ...event, delta: { text: textOf(delta.text) } }]
      case 'thinking_delta':
        return [{ ...event, delta: { text: textOf(delta.thinking) } }]
      case 'signature_delta':
        return [{ ...event, delta: { signature: { owner: 'anthropic', value: textOf(delta.signature) } } }]
      case 'citations_delta':
        return [{ ...event, delta: { citation: readCitation(objectOf(delta.citation)) } }]
      case 'input_json_delta': {
        const text = textOf(delta.partial_json)
        if (!text) return []
        block.awaits_arguments = false
        return [{ ...event, delta: { arguments: text } }]
      }
      default:
        return []
    }
  }

  #close(index: number): StreamEvent[] {
    const block = this.#blocks.get(index)
    if (!block) return []
    this.#blocks.delete(index)
    const { part } = block
    const emptyArguments: StreamEvent[] = block.awaits_arguments
      ? [{ kind: 'delta', choice: 0, part, delta: { arguments: '{}' } }]
      : []
    return [...emptyArguments, { kind: 'close', choice: 0, part }]
  }

  #finish({ stop_reason, stop_sequence, container }: Json, report: unknown): StreamEvent[] {
    this.#container = container ?? this.#container
    this.#report = { ...this.#report, ...withoutZeros(objectOf(report)) }
    const doubts: string[] = []
    const usage = readUsage(this.#report, doubts)
    const events: StreamEvent[] = usage ? [{ kind: 'usage', usage, doubts }] : []
    if (!textOf(stop_reason)) return events
    this.#finished = true
    return [{ kind: 'finish', choice: 0, finish: readFinish(stop_reason, stop_sequence) }, ...events]
  }
}

/** Zero and null counts in a later report do not replace counts of an earlier one: some servers send zeros. */
const withoutZeros = (report: Json): Json => Object.fromEntries(Object.entries(report).filter(([, value]) => value))
