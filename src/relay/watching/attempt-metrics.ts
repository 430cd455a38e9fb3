/** Counts attempts by their channel and outcome. */
import { NetworkError } from '../../net/upstream-fetch.ts'
import { type Counter, counter } from '../../process/metrics/counter.ts'
import { store } from '../../process/stores.ts'
import { ClientDisconnected, UpstreamRejected } from '../errors/fault.ts'
import { channelLabel } from './labels.ts'

const attempts = counter(
  'tollgate_attempts_total',
  'Attempts by outcome: answered, the status of a rejection, the failure of the network, left by the client, or unusable. A stream that breaks off counts as broken too.',
  ['channel', 'outcome'],
)

/** Of each channel by its id: those that answer, which are nearly all. */
const answered = store('attempts-answered', new Map<number, Counter>())
const ANSWERED_MAX = 1000

export function countAnswered(channel_id: number) {
  const known = answered.get(channel_id)
  if (known) return known.add()
  const made = attempts.of(channelLabel(channel_id), 'answered')
  if (answered.size < ANSWERED_MAX) answered.set(channel_id, made)
  made.add()
}

export const countFailedAttempt = (channel_id: number, error: unknown) =>
  attempts.of(channelLabel(channel_id), outcomeOf(error)).add()

export const countBroken = (channel_id: number) => attempts.of(channelLabel(channel_id), 'broken').add()

/** Of an attempt that has failed. */
export function outcomeOf(error: unknown): string {
  if (error instanceof UpstreamRejected) return statusLabel(error.rejection.status)
  if (error instanceof NetworkError) return error.failure
  return error instanceof ClientDisconnected ? 'left' : 'unusable'
}

/** Upstreams choose the number. */
const statusLabel = (status: number) => (status >= 400 && status < 600 ? String(status) : 'rejected')
