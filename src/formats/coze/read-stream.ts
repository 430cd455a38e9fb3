/**
 * Reads the events of a chat as StreamEvents. Delta and completed message differ by the name of the event alone: each is
 * read as `{ event, data }`. https://www.coze.cn/docs/developer_guides/chat_v3 (read 2026-11)
 */
import { type Json, parsedOrUndefined } from '../../pure/json.ts'
import { unreadable } from '../canonical/api-error.ts'
import type { ApiError, StreamEvent } from '../canonical/chat.ts'
import { PartTracker } from '../canonical/part-tracker.ts'
import type { EventReader } from '../format.ts'
import { isObject } from '../json/checks.ts'
import { numberOf, objectOf, parsedObject, textOf, type UnreadFields } from '../json/lenient-json.ts'
import { readUsage } from '../openai-chat/usage.ts'
import { readError } from './api-error.ts'
import type { CozeAnswer, CozeChat, CozeUsage } from './wire.ts'

export const readStream = (): EventReader => new CozeStreamReader()

class CozeStreamReader implements EventReader {
  readonly #parts = new PartTracker(0)
  #has_started = false
  /** The message that is being written. */
  #message: string | undefined
  /** Messages of which deltas have come. */
  readonly #written = new Set<string>()

  read(text: string): StreamEvent[] {
    const named = parsedOrUndefined(text)
    if (!isObject(named)) return [{ kind: 'error', failure: unreadable }]
    const body: UnreadFields<CozeAnswer & CozeChat> = parsedObject(textOf(named.data))
    switch (named.event) {
      case 'conversation.message.delta':
        return this.#add(body)
      case 'conversation.message.completed':
        // The whole text again, unless it came at once.
        return this.#written.has(textOf(body.id)) ? [] : this.#add(body)
      case 'conversation.chat.completed':
        return [...this.#start(body, body.id), ...this.#end(body)]
      case 'conversation.chat.failed':
        return [{ kind: 'error', failure: readError(objectOf(body.last_error)) ?? failureOf('the chat failed') }]
      case 'conversation.chat.requires_action':
        return [{ kind: 'error', failure: failureOf('the bot waits for the output of a tool that nothing runs') }]
      case 'conversation.chat.canceled':
        return [{ kind: 'error', failure: failureOf('the chat was cancelled') }]
      case 'error':
        return [{ kind: 'error', failure: readError(body) ?? failureOf('the chat failed') }]
      case undefined: {
        const failure = readError(body)
        return failure ? [{ kind: 'error', failure }] : []
      }
      default:
        return []
    }
  }

  /** The last event is missing when the stream was cut off. */
  end = (): StreamEvent[] => []

  #start({ conversation_id, created_at }: UnreadFields<CozeAnswer | CozeChat>, id: unknown): StreamEvent[] {
    if (this.#has_started) return []
    this.#has_started = true
    const conversation = textOf(conversation_id) || undefined
    return [{ kind: 'start', id: textOf(id), model: '', created: numberOf(created_at), conversation }]
  }

  /** Suggestions, calls of tools and notes of the service are messages too. */
  #add(message: UnreadFields<CozeAnswer>): StreamEvent[] {
    if (message.type !== 'answer') return []
    const id = textOf(message.id)
    this.#written.add(id)
    const [thought, text] = [textOf(message.reasoning_content), textOf(message.content)]
    const events = this.#start(message, message.chat_id)
    if (thought) events.push(...this.#parts.add('thinking', { kind: 'thinking', text: '' }, [{ text: thought }]))
    if (!text) return events
    const isNext = this.#message !== undefined && this.#message !== id
    this.#message = id
    const deltas = isNext ? [{ text: '\n\n' }, { text }] : [{ text }]
    return [...events, ...this.#parts.add('text', { kind: 'text', text: '' }, deltas)]
  }

  #end(chat: UnreadFields<CozeChat>): StreamEvent[] {
    const doubts: string[] = []
    const usage = readUsage(reportOf(objectOf<CozeUsage>(chat.usage)), doubts)
    return [
      ...this.#parts.closeAll(),
      { kind: 'finish', choice: 0, finish: { reason: 'stop' } },
      ...(usage ? [{ kind: 'usage', usage, doubts } as const] : []),
      { kind: 'end' },
    ]
  }
}

/** The input is what the sum has beside the output. */
function reportOf({ token_count, input_count, output_count }: UnreadFields<CozeUsage>): Json {
  const rest = (numberOf(token_count) ?? 0) - (numberOf(output_count) ?? 0)
  return { prompt_tokens: input_count ?? Math.max(0, rest), completion_tokens: output_count }
}

const FAILED = 502

const failureOf = (message: string): ApiError => ({ status: FAILED, message, type: '', code: '', param: null })
