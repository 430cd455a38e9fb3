/** Decides what becomes of each event of a stream, and how a stream without a last event has ended. */
import type { EndReason } from '../../contracts/relay.ts'
import type { RoutedChannel } from '../../domain/routing/index.ts'
import type { EventKind, StreamReader } from '../../formats/format.ts'
import { NetworkError } from '../../net/upstream-fetch.ts'
import { faultOf, unusableResponse } from '../errors/classify-error.ts'
import { ClientDisconnected, Fault } from '../errors/fault.ts'

/** How the upstream's part of a stream ends. */
export interface StreamEnd {
  reason: EndReason
  /** Absent for a stream that is complete, or whose client has left. */
  error?: Error
}

/**
 * `pass`: the event goes to the client. `drop`: it does not. `hold`: it may be the last one, and waits for the next.
 * `wait`: the upstream has more to say of its failure. Otherwise the stream ends with the event.
 */
export type Verdict = 'pass' | 'drop' | 'hold' | 'wait' | StreamEnd

/** What the decisions depend on. */
interface Stream {
  facts: Pick<StreamReader, 'error' | 'finished' | 'takeRewritten'>
  channel: RoutedChannel
  call: { facts: { wants_usage: boolean } }
}

/** @param has_failed an event before was the beginning of a failure: no output follows one */
export function verdictOf(kind: EventKind, stream: Stream, has_failed = false): Verdict {
  switch (kind) {
    case 'content':
      return has_failed ? 'drop' : 'pass'
    case 'usage':
      return has_failed || !stream.call.facts.wants_usage ? 'drop' : 'pass'
    case 'finish':
      return 'hold'
    case 'end':
      return stream.facts.error ? endByFailure(stream) : { reason: 'finished' }
    case 'failing':
      return stream.facts.takeRewritten ? endByFailure(stream) : 'wait'
    case 'failed':
    case 'error':
      return endByFailure(stream)
    case 'broken':
      return { reason: 'broken', error: unusableResponse() }
  }
}

/** The upstream has reported a failure. */
export const endByFailure = ({ facts, channel }: Stream): StreamEnd => ({
  reason: 'broken',
  error: faultIn(facts, channel) ?? unusableResponse(),
})

/** The bytes are over: without an end marker they were cut off. */
export const endOfBytes = ({ facts, channel }: Stream): StreamEnd =>
  facts.finished && !facts.error
    ? { reason: 'finished' }
    : { reason: 'broken', error: faultIn(facts, channel) ?? brokeOff() }

/** The connection has failed. A response that was complete before has lost nothing. */
export function endBy(error: unknown, { facts, channel }: Stream): StreamEnd {
  if (error instanceof ClientDisconnected) return { reason: 'abandoned' }
  const fault = faultIn(facts, channel)
  if (!fault && facts.finished) return { reason: 'finished' }
  return { reason: 'broken', error: fault ?? (isTimeout(error) ? silent() : brokeOff()) }
}

/** The failure that the upstream has reported. */
const faultIn = ({ error }: Stream['facts'], channel: RoutedChannel): Fault | undefined =>
  error && faultOf({ status: error.status, error }, channel)

const isTimeout = (error: unknown) => error instanceof NetworkError && error.failure === 'timeout'

const brokeOff = () => new Fault({ status: 502, code: 'relay.upstream_broke_off', retry: false })
const silent = () => new Fault({ status: 504, code: 'relay.upstream_silent', retry: false })
