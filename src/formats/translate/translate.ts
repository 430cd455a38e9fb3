/** Translates the bodies of one call between the client's format and the upstream's. */
import type { Json } from '../../pure/json.ts'
import type { ChatRequest, ChatResponse, StreamEvent } from '../canonical/chat.ts'
import { replay } from '../canonical/replay.ts'
import type { ForwardOptions } from '../format.ts'
import type { Flaw } from '../json/checks.ts'
import { applyLosses } from './apply-losses.ts'
import { applyEventLosses, applyResponseLosses } from './apply-response-losses.ts'
import { withCacheMarks } from './auto-cache.ts'
import type { FormatPair } from './format-pair.ts'
import { stopAt, stoppedAt } from './stop.ts'
import { wellFormed } from './well-formed.ts'

/** @returns the request in the upstream's format, or a flaw when it contains what that format refuses */
export function translateRequest(
  { client, upstream, label, hosted, auto_cache }: FormatPair,
  { model, stream_usage, system_prompt, replace_system }: ForwardOptions,
): Json | Flaw {
  const request = withInstructions(label.request, system_prompt, replace_system)
  // A limit of 0 is no limit.
  const max_output = request.max_output || undefined
  const reduced = applyLosses({ ...request, model, max_output, wants_usage: stream_usage === true }, upstream, hosted)
  if (!('messages' in reduced)) return reduced
  const cachesByItself = auto_cache && upstream.name === 'anthropic' && client.name !== 'anthropic'
  return upstream.writeRequest(cachesByItself ? withCacheMarks(reduced) : reduced)
}

/** Puts the operator's instructions before those of the client, or in their place. */
function withInstructions(request: ChatRequest, text: string, replace: boolean | undefined): ChatRequest {
  if (!text) return request
  const instructions = { kind: 'text', text } as const
  if (!replace) return { ...request, system: [instructions, ...request.system] }
  return { ...request, system: [instructions], messages: request.messages.filter(({ role }) => role !== 'system') }
}

/** @returns a whole response in the client's format */
export function translateResponse(pair: FormatPair, response: ChatResponse): Json {
  const sequences = sequencesToScan(pair)
  const stopped = sequences.length ? stoppedAt(sequences, response) : response
  return pair.client.writeResponse(applyResponseLosses(stopped, pair), pair.label)
}

/** @returns a whole response as a stream in the client's format */
export function streamResponse(pair: FormatPair, response: ChatResponse): string {
  const write = eventWriter(pair)
  return [...replay(response)].map(write).join('')
}

/** @returns the stop sequences that the upstream does not look for itself */
function sequencesToScan({ upstream, label, model = '' }: FormatPair): string[] {
  const { stop } = label.request
  const accepted = upstream.limits.stop(stop, model)
  return stop.filter(sequence => !accepted.includes(sequence))
}

/** @returns a function that writes the events of one stream in the client's format */
export function eventWriter(pair: FormatPair): (event: StreamEvent) => string {
  const writer = pair.client.writeStream(pair.label)
  const write = wellFormed(applyEventLosses(pair, event => writer.write(event)))
  const sequences = sequencesToScan(pair)
  if (!sequences.length) return write
  const stop = stopAt(sequences)
  return event => stop(event).map(write).join('')
}
