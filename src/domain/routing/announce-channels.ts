/** Tells every node that channels, their keys or their abilities have changed. */
import { announce } from '../../cluster/changes.ts'
import { onInvalidation } from '../../cluster/invalidation.ts'
import type { Tx } from '../../db/database.ts'
import { resetCircuits } from './health/breaker.ts'
import { CHANNELS } from './routing-table.ts'

const CIRCUITS = 'circuits'
onInvalidation(CIRCUITS, channel_id => {
  if (channel_id !== undefined) resetCircuits(channel_id as number)
})

/**
 * In the transaction of any write to channels, their keys or their abilities.
 * @param saved ids of the channels that an operator has saved: their circuits close
 */
export function* announceChannels(tx: Tx, saved: readonly number[] = []) {
  yield* announce(tx, CHANNELS)
  yield* announceReset(tx, saved)
}

/** The circuits of these channels close on every node. */
export const announceReset = (tx: Tx, channel_ids: readonly number[]) => announce(tx, CIRCUITS, channel_ids)
