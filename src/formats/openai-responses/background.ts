/**
 * Responses that the gateway runs and keeps itself: the object at each state, and events under its own id.
 * https://platform.openai.com/docs/guides/background (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import { isObject } from '../json/checks.ts'

/** Settings that a response repeats, with their defaults. */
const settings: Json = {
  ...{ instructions: null, max_output_tokens: null, metadata: {}, parallel_tool_calls: true, temperature: 1, top_p: 1 },
  ...{ previous_response_id: null, reasoning: { effort: null, summary: null }, text: { format: { type: 'text' } } },
  ...{ tool_choice: 'auto', tools: [], truncation: 'disabled', user: null },
}

/** @param body of the request */
export function begunResponse(id: string, created_at: number, body: Json): Json {
  const chosen = Object.entries(settings).map(([name, value]) => [name, body[name] ?? value])
  return {
    ...{ id, object: 'response', created_at, status: 'in_progress', background: true, model: body.model, store: true },
    ...Object.fromEntries(chosen),
    ...{ error: null, incomplete_details: null, output: [], usage: null },
  }
}

export const queuedResponse = (begun: Json): Json => ({ ...begun, status: 'queued' })

export const cancelledResponse = (begun: Json): Json => ({ ...begun, status: 'cancelled' })

/** @returns the event under the gateway's id and number */
export function renamedEvent(event: Json, id: string, sequence_number: number): Json {
  const renamed = { ...event, sequence_number }
  return isObject(event.response) ? { ...renamed, response: renamedResponse(event.response, id) } : renamed
}

export const renamedResponse = (response: Json, id: string): Json => ({
  ...response,
  id,
  background: true,
  store: true,
})

const ends = { completed: 'completed', incomplete: 'incomplete', failed: 'failed', cancelled: 'cancelled' } as const

/** @returns how a response has ended; undefined while it runs */
export const endOf = ({ status }: Json): keyof typeof ends | undefined =>
  typeof status === 'string' && Object.hasOwn(ends, status) ? ends[status as keyof typeof ends] : undefined
