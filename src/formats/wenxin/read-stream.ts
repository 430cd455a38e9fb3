/**
 * Reads the events of a Wenxin v1 chat as StreamEvents: each is a response with the next piece of the text, and the last
 * one has `is_end`. https://cloud.baidu.com/doc/WENXINWORKSHOP/s/jlil56u11 (read 2026-11)
 */
import { parsedOrUndefined } from '../../pure/json.ts'
import { unreadable } from '../canonical/api-error.ts'
import type { StreamEvent } from '../canonical/chat.ts'
import { PartTracker } from '../canonical/part-tracker.ts'
import type { EventReader } from '../format.ts'
import { isObject } from '../json/checks.ts'
import { numberOf, objectOf, textOf, type UnreadFields } from '../json/lenient-json.ts'
import { argumentsText } from '../openai-chat/read-response.ts'
import { readError } from './api-error.ts'
import { readFinish } from './finish-reason.ts'
import { readUsage } from './usage.ts'
import type { WenxinResponse } from './wire.ts'

export const readStream = (): EventReader => new WenxinStreamReader()

class WenxinStreamReader implements EventReader {
  readonly #parts = new PartTracker(0)
  #has_started = false
  #has_ended = false

  read(data: string): StreamEvent[] {
    const body = parsedOrUndefined(data)
    if (!isObject(body)) return [{ kind: 'error', failure: unreadable }]
    const failure = readError(body)
    if (failure) return [{ kind: 'error', failure }]
    if (this.#has_ended) return []
    const event = objectOf<WenxinResponse>(body)
    const begun = [...this.#start(event), ...this.#text(event), ...this.#call(event)]
    return [...begun, ...this.#usage(event), ...this.#finish(event)]
  }

  /** Only an event with `is_end` completes a stream. */
  end(): StreamEvent[] {
    return []
  }

  #start({ id, created }: UnreadFields<WenxinResponse>): StreamEvent[] {
    if (this.#has_started) return []
    this.#has_started = true
    return [{ kind: 'start', id: textOf(id), model: '', created: numberOf(created) }]
  }

  #text({ result }: UnreadFields<WenxinResponse>): StreamEvent[] {
    const text = textOf(result)
    return text ? this.#parts.add('text', { kind: 'text', text: '' }, [{ text }]) : []
  }

  #call({ function_call }: UnreadFields<WenxinResponse>): StreamEvent[] {
    if (!isObject(function_call)) return []
    const { name, thoughts, arguments: value } = objectOf<NonNullable<WenxinResponse['function_call']>>(function_call)
    const thought = textOf(thoughts)
    const text = argumentsText(value)
    const opening = { kind: 'tool_call', id: '', name: textOf(name), arguments: '' } as const
    return [
      ...(thought ? this.#parts.add('thinking', { kind: 'thinking', text: '' }, [{ text: thought }]) : []),
      ...this.#parts.add('call', opening, text ? [{ arguments: text }] : []),
    ]
  }

  /** Every event reports the usage so far. */
  #usage({ usage }: UnreadFields<WenxinResponse>): StreamEvent[] {
    const doubts: string[] = []
    const read = readUsage(usage, doubts)
    return read ? [{ kind: 'usage', usage: read, doubts }] : []
  }

  #finish(body: UnreadFields<WenxinResponse>): StreamEvent[] {
    if (body.is_end !== true) return []
    this.#has_ended = true
    const finish = readFinish(body, this.#parts.called)
    return [...this.#parts.closeAll(), { kind: 'finish', choice: 0, finish }, { kind: 'end' }]
  }
}
