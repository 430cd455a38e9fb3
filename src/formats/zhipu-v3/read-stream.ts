/**
 * Reads the events of a streamed invocation as StreamEvents: `add` has the next piece of the text, `finish` the usage.
 * https://open.bigmodel.cn/dev/api#chatglm_turbo (read 2026-11)
 */
import { parsedOrUndefined } from '../../pure/json.ts'
import { unreadable } from '../canonical/api-error.ts'
import type { ApiError, FinishReason, StreamEvent } from '../canonical/chat.ts'
import { PartTracker } from '../canonical/part-tracker.ts'
import type { EventReader } from '../format.ts'
import { isObject } from '../json/checks.ts'
import { objectOf, parsedObject, textOf, type UnreadFields } from '../json/lenient-json.ts'
import { readTokens } from '../json/token-usage.ts'
import { readError } from './api-error.ts'
import type { InvocationEvent, InvocationMeta } from './wire.ts'

export const readStream = (): EventReader => new InvocationReader()

/** Events that end a stream. Contents that the provider refuses interrupt it. */
const endings: Record<string, FinishReason> = { finish: 'stop', interrupted: 'filter' }

class InvocationReader implements EventReader {
  readonly #parts = new PartTracker(0)
  #has_started = false
  #has_ended = false

  /** @param data the fields of one event as JSON */
  read(data: string): StreamEvent[] {
    const parsed = parsedOrUndefined(data)
    if (!isObject(parsed)) return [{ kind: 'error', failure: unreadable }]
    const fields = objectOf<InvocationEvent>(parsed)
    const event = textOf(fields.event) || 'add'
    if (event === 'error') return [{ kind: 'error', failure: errorOf(textOf(fields.data)) }]
    const reason = endings[event]
    if (this.#has_ended || !(reason || event === 'add')) return []
    const meta: UnreadFields<InvocationMeta> = parsedObject(textOf(fields.meta))
    return [...this.#start(meta), ...this.#text(textOf(fields.data)), ...(reason ? this.#finish(reason, meta) : [])]
  }

  /** Only `finish` and `interrupted` complete a stream. */
  end(): StreamEvent[] {
    return []
  }

  #start({ request_id }: UnreadFields<InvocationMeta>): StreamEvent[] {
    if (this.#has_started) return []
    this.#has_started = true
    return [{ kind: 'start', id: textOf(request_id), model: '' }]
  }

  #text(text: string): StreamEvent[] {
    return text ? this.#parts.add('text', { kind: 'text', text: '' }, [{ text }]) : []
  }

  #finish(reason: FinishReason, { usage }: UnreadFields<InvocationMeta>): StreamEvent[] {
    this.#has_ended = true
    const read = readTokens(objectOf(usage))
    return [
      ...this.#parts.closeAll(),
      ...(read ? [{ kind: 'usage', ...read } as const] : []),
      { kind: 'finish', choice: 0, finish: { reason } },
      { kind: 'end' },
    ]
  }
}

/** The data of an error is JSON, or a text. */
const errorOf = (data: string): ApiError =>
  readError(parsedOrUndefined(data)) ?? { status: 500, message: data, type: '', code: '', param: null }
