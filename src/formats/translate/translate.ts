/** Translates the bodies of one call between the client's format and the upstream's. */
import type { Json } from '../../pure/json.ts'
import type { ChatRequest, ChatResponse, StreamEvent } from '../canonical/chat.ts'
import { replay } from '../canonical/replay.ts'
import type { ForwardOptions } from '../format.ts'
import type { Flaw } from '../json/checks.ts'
import { applyLosses } from './apply-losses.ts'
import { applyEventLosses, applyResponseLosses } from './apply-response-losses.ts'
import type { Route } from './route.ts'
import { stopAt, stoppedAt } from './stop.ts'

/** @returns the request in the upstream's format, or a flaw when it contains what that format refuses */
export function translateRequest(
  { upstream, label, hosted }: Route,
  { model, stream_usage, system_prompt, replace_system }: ForwardOptions,
): Json | Flaw {
  const request = withInstructions(label.request, system_prompt, replace_system)
  // A limit of 0 is no limit.
  const max_output = request.max_output || undefined
  const reduced = applyLosses({ ...request, model, max_output, wants_usage: stream_usage }, upstream, hosted)
  return 'messages' in reduced ? upstream.writeRequest(reduced) : reduced
}

/** Puts the operator's instructions before those of the client, or in their place. */
function withInstructions(request: ChatRequest, text: string, replace: boolean | undefined): ChatRequest {
  if (!text) return request
  const instructions = { kind: 'text', text } as const
  if (!replace) return { ...request, system: [instructions, ...request.system] }
  return { ...request, system: [instructions], messages: request.messages.filter(({ role }) => role !== 'system') }
}

/** @returns a whole response in the client's format */
export function translateResponse(route: Route, response: ChatResponse): Json {
  const sequences = sequencesToScan(route)
  const stopped = sequences.length ? stoppedAt(sequences, response) : response
  return route.client.writeResponse(applyResponseLosses(stopped, route), route.label)
}

/** @returns a whole response as a stream in the client's format */
export function streamResponse(route: Route, response: ChatResponse): string {
  const write = eventWriter(route)
  return [...replay(response)].map(write).join('')
}

/** @returns the stop sequences that the upstream does not look for itself */
function sequencesToScan({ upstream, label, model = '' }: Route): string[] {
  const { stop } = label.request
  const accepted = upstream.limits.stop(stop, model)
  return stop.filter(sequence => !accepted.includes(sequence))
}

/** @returns a function that writes the events of one stream in the client's format */
export function eventWriter(route: Route): (event: StreamEvent) => string {
  const writer = route.client.writeStream(route.label)
  const write = applyEventLosses(route, event => writer.write(event))
  const sequences = sequencesToScan(route)
  if (!sequences.length) return write
  const stop = stopAt(sequences)
  return event => stop(event).map(write).join('')
}
