/** A call from a caller of one format to an upstream of another. */

import type { Json } from '../../pure/json.ts'
import type { ChatRequest, ChatResponse, StreamEvent } from '../canonical/chat.ts'
import { replay } from '../canonical/replay.ts'
import type { EventWriter } from '../dialect.ts'
import type { ForwardOptions } from '../format.ts'
import type { Flaw } from '../json/checks.ts'
import { applyLosses } from './apply-losses.ts'
import { applyEventLosses, applyResponseLosses } from './apply-response-losses.ts'
import type { Route } from './route.ts'
import { stopAt, stoppedAt, stopsTaken } from './stop.ts'

/** The caller's request as the upstream takes it, or why it does not. */
export function translateRequest(
  { upstream, label }: Route,
  { model, stream_usage, system_prompt, replace_system }: ForwardOptions,
): Json | Flaw {
  const request = instructed(label.request, system_prompt, replace_system)
  // Who allows no tokens at all has set no limit.
  const max_output = request.max_output || undefined
  const fitted = applyLosses({ ...request, model, max_output, wants_usage: stream_usage }, upstream.name)
  return 'messages' in fitted ? upstream.writeRequest(fitted) : fitted
}

/** The request with the operator's own instructions before the caller's, or in their place. */
function instructed(request: ChatRequest, text: string, alone: boolean | undefined): ChatRequest {
  if (!text) return request
  const ours = { kind: 'text', text } as const
  if (!alone) return { ...request, system: [ours, ...request.system] }
  return { ...request, system: [ours], messages: request.messages.filter(({ role }) => role !== 'system') }
}

/** A whole answer for the caller. */
export function translateResponse(route: Route, answer: ChatResponse): Json {
  const sequences = sequencesOf(route)
  const ended = sequences.length ? stoppedAt(sequences, answer) : answer
  return route.caller.writeResponse(applyResponseLosses(ended, route), route.label)
}

/** A whole answer for a caller who asked for a stream. */
export function streamResponse(route: Route, answer: ChatResponse): string {
  const tell = eventWriter(route)
  return [...replay(answer)].map(tell).join('')
}

/** The stop sequences that the upstream does not look for itself. */
function sequencesOf({ upstream, label, model = '' }: Route): string[] {
  const { stop } = label.request
  const taken = stopsTaken(stop, upstream.name, model)
  return stop.filter(sequence => !taken.includes(sequence))
}

/** What each event is on the caller's wire. */
export function eventWriter(route: Route): (event: StreamEvent) => string {
  const writer: EventWriter = route.caller.writeStream(route.label)
  const tell = applyEventLosses(route, event => writer.write(event))
  const sequences = sequencesOf(route)
  if (!sequences.length) return tell
  const stop = stopAt(sequences)
  return event => stop(event).map(tell).join('')
}
