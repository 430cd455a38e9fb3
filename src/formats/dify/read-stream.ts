/**
 * Reads the server-sent events of an app as StreamEvents.
 * https://docs.dify.ai/en/api-reference/chat-messages/send-chat-message (read 2026-11)
 */
import { parsedOrUndefined } from '../../pure/json.ts'
import { unreadable } from '../canonical/api-error.ts'
import type { ResponsePart, StreamEvent, Usage } from '../canonical/chat.ts'
import { PartTracker } from '../canonical/part-tracker.ts'
import type { EventReader } from '../format.ts'
import { isObject } from '../json/checks.ts'
import { numberOf, objectOf, textOf, type UnreadFields } from '../json/lenient-json.ts'
import { readUsage } from '../openai-chat/usage.ts'
import { readError, readFailedRun, readFailure } from './api-error.ts'
import { type Piece, ThinkingSplitter } from './split-thinking.ts'
import { AgentThoughts } from './thoughts.ts'
import { RunUsage, reportsNode } from './usage.ts'
import type { DifyEvent, DifyRun } from './wire.ts'

export const readStream = (): EventReader => new DifyStreamReader()

class DifyStreamReader implements EventReader {
  readonly #parts = new PartTracker(0)
  readonly #splitter = new ThinkingSplitter()
  readonly #thoughts = new AgentThoughts()
  readonly #run = new RunUsage()
  #has_started = false
  /** Usage of the run inside a chatflow, whose message reports its own. */
  #run_usage: Usage | undefined
  readonly #doubts: string[] = []
  #answer = ''
  #was_replaced = false

  read(data: string): StreamEvent[] {
    const parsed = parsedOrUndefined(data)
    if (!isObject(parsed)) return [{ kind: 'error', failure: unreadable }]
    const event = objectOf<DifyEvent>(parsed)
    switch (event.event) {
      case 'message':
      case 'agent_message':
        return [...this.#start(event), ...this.#add(textOf(event.answer))]
      case 'text_chunk':
        return [...this.#start(event), ...this.#add(textOf(objectOf<DifyRun>(event.data).text))]
      case 'agent_thought':
        return [...this.#start(event), ...this.#think(this.#thoughts.added(event, this.#answer))]
      case 'message_file':
        return [...this.#start(event), ...this.#show(event)]
      case 'message_replace':
        return [...this.#start(event), ...this.#replace(textOf(event.answer))]
      case 'text_replace':
        return [...this.#start(event), ...this.#replace(textOf(objectOf<DifyRun>(event.data).text))]
      case 'node_finished':
        if (reportsNode(event)) this.#run.addNode(event)
        return []
      case 'workflow_finished':
        return this.#endRun(event)
      case 'message_end':
        return [...this.#start(event), ...this.#end(this.#usageOf(event) ?? this.#run_usage)]
      case 'error':
        return [{ kind: 'error', failure: readFailure(event) }]
      case undefined: {
        const failure = readError(event)
        return failure ? [{ kind: 'error', failure }] : []
      }
      default:
        return []
    }
  }

  /** The last event is missing when the stream was cut off. */
  end = (): StreamEvent[] => []

  #start(event: UnreadFields<DifyEvent>): StreamEvent[] {
    if (this.#has_started) return []
    this.#has_started = true
    const { message_id, workflow_run_id, id, created_at, conversation_id } = event
    const own = textOf(message_id) || textOf(workflow_run_id) || textOf(id)
    const created = numberOf(created_at) ?? numberOf(objectOf<DifyRun>(event.data).created_at)
    return [{ kind: 'start', id: own, model: '', created, conversation: textOf(conversation_id) || undefined }]
  }

  #add(text: string): StreamEvent[] {
    this.#answer += text
    this.#run.addText(text)
    return this.#splitter.push(text).flatMap(piece => this.#write(piece))
  }

  #write({ kind, text }: Piece): StreamEvent[] {
    return text ? this.#parts.add(kind, { kind, text: '' } satisfies ResponsePart, [{ text }]) : []
  }

  #think(text: string): StreamEvent[] {
    return this.#write({ kind: 'thinking', text })
  }

  /** A file that a tool has made; those of the user are repeated. */
  #show({ belongs_to, url, type }: UnreadFields<DifyEvent>): StreamEvent[] {
    if (belongs_to === 'user' || !textOf(url)) return []
    const mark = type === 'image' ? '!' : ''
    return this.#add(`\n${mark}[${textOf(type) || 'file'}](${textOf(url)})\n`)
  }

  /** Moderation puts another answer in the place of what has come, which a stream cannot take back. */
  #replace(text: string): StreamEvent[] {
    this.#was_replaced = true
    const before = [
      ...this.#splitter.end().flatMap(piece => this.#write(piece)),
      ...(this.#answer ? this.#write({ kind: 'text', text: '\n\n' }) : []),
      ...this.#parts.closeAll(),
    ]
    this.#answer = text
    const after = this.#write({ kind: 'text', text })
    return [...before, ...after.map(event => (event.kind === 'open' ? { ...event, replaces: true as const } : event))]
  }

  #endRun(event: UnreadFields<DifyEvent>): StreamEvent[] {
    const failure = readFailedRun(event)
    if (failure) return [{ kind: 'error', failure }]
    // The message of a chatflow follows.
    if (event.conversation_id) {
      this.#run_usage = this.#run.read(event, this.#doubts)
      return []
    }
    const outputs = this.#answer ? [] : this.#add(outputOf(objectOf<DifyRun>(event.data).outputs))
    return [...this.#start(event), ...outputs, ...this.#end(this.#run.read(event, this.#doubts))]
  }

  #usageOf = ({ metadata }: UnreadFields<DifyEvent>) =>
    readUsage(objectOf<NonNullable<DifyEvent['metadata']>>(metadata).usage, this.#doubts)

  #end(usage: Usage | undefined): StreamEvent[] {
    return [
      ...this.#splitter.end().flatMap(piece => this.#write(piece)),
      ...this.#parts.closeAll(),
      { kind: 'finish', choice: 0, finish: { reason: this.#was_replaced ? 'filter' : 'stop' } },
      ...(usage ? [{ kind: 'usage', usage, doubts: this.#doubts } as const] : []),
      { kind: 'end' },
    ]
  }
}

/** A workflow that shows no text while it runs: its only output, or all of them as JSON. */
function outputOf(outputs: unknown): string {
  const values = Object.values(objectOf(outputs))
  if (values.length === 1 && typeof values[0] === 'string') return values[0]
  return values.length ? JSON.stringify(outputs) : ''
}
