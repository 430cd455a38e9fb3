/** State of channels and of their circuit breakers. */
import { gauges, type Reading } from '../../../process/metrics/gauge.ts'
import { allChannels } from '../routing-table.ts'
import { breakerState } from './breaker.ts'

/** As many as counters have, in the order of ids. */
const CHANNELS_MAX = 1000

const ofChannels = async (stateOf: (channel: { id: number; status: number }) => number) =>
  (await allChannels()).slice(0, CHANNELS_MAX).map((channel): Reading => [[String(channel.id)], stateOf(channel)])

gauges(
  'tollgate_channel_state',
  'Whether a channel serves calls: 1 enabled, 2 disabled by an administrator, 3 disabled by itself.',
  ['channel'],
  () => ofChannels(({ status }) => status),
)
gauges(
  'tollgate_breaker_state',
  'Circuit of a whole channel on this node: 0 closed, 1 half-open, 2 open.',
  ['channel'],
  () => ofChannels(({ id }) => breakerState({ channel_id: id })),
)
