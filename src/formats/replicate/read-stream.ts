/**
 * Reads the events of a prediction's stream: `output` with a piece of text, `done`, `error`.
 * https://replicate.com/docs/topics/predictions/streaming (read 2026-11)
 */
import { parsedOrUndefined } from '../../pure/json.ts'
import { unreadable } from '../canonical/api-error.ts'
import type { StreamEvent } from '../canonical/chat.ts'
import { PartTracker } from '../canonical/part-tracker.ts'
import type { EventReader } from '../format.ts'
import { isObject } from '../json/checks.ts'
import { objectOf, parsedObject, textOf, type UnreadFields } from '../json/lenient-json.ts'
import { failureOf, readProblem } from './api-error.ts'
import { readMetrics, textOfOutput } from './read-response.ts'
import type { PredictionEvent, PredictionState } from './wire.ts'

export const readStream = (): EventReader => new PredictionReader()

class PredictionReader implements EventReader {
  readonly #parts = new PartTracker(0)
  #has_started = false

  read(data: string): StreamEvent[] {
    const parsed = parsedOrUndefined(data)
    if (!isObject(parsed)) return [{ kind: 'error', failure: unreadable }]
    const event = objectOf<PredictionEvent>(parsed)
    const text = textOf(event.data)
    switch (event.event) {
      case 'output':
        return [...this.#start(), ...this.#add(text)]
      case 'done':
        return this.#end(event, text)
      case 'error':
        return [{ kind: 'error', failure: readProblem(text) }]
      default:
        return []
    }
  }

  end(): StreamEvent[] {
    return []
  }

  #start(): StreamEvent[] {
    if (this.#has_started) return []
    this.#has_started = true
    return [{ kind: 'start', id: '', model: '' }]
  }

  #add(text: string): StreamEvent[] {
    return text ? this.#parts.add('text', { kind: 'text', text: '' }, [{ text }]) : []
  }

  /** `{"reason": "canceled"}` or `"error"` for a prediction that has not succeeded. */
  #end({ metrics }: UnreadFields<PredictionEvent>, text: string): StreamEvent[] {
    const { reason } = parsedObject(text)
    if (reason) return [{ kind: 'error', failure: failureOf(`the prediction ended with: ${reason}`) }]
    const usage = readMetrics(metrics)
    const report: StreamEvent[] = usage ? [{ kind: 'usage', usage, doubts: [] }] : []
    return [
      ...this.#start(),
      ...this.#parts.closeAll(),
      { kind: 'finish', choice: 0, finish: { reason: 'stop' } },
      ...report,
      { kind: 'end' },
    ]
  }
}

/** The stream of a model that has none. */
export function toStream({ output, metrics }: UnreadFields<PredictionState>): string {
  const events = [
    { event: 'output', data: textOfOutput(output) ?? '' },
    { event: 'done', data: '{}', metrics },
  ]
  return events.map(event => `data: ${JSON.stringify(event)}\n\n`).join('')
}
