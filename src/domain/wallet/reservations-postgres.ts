/** PostgreSQL, many nodes: reservations are rows, inserted in the turn of their user, swept with their dead node. */
import { inArray } from 'drizzle-orm'
import { run } from '../../db/atomic.ts'
import { freeHolds } from '../budgets/index.ts'
import { gatherOfChannel } from './gathered-channel-holds.ts'
import { gather } from './gathered-holds.ts'
import { extendBy } from './hold-alone.ts'
import { giveBackHolds } from './hold-of-channel.ts'
import { growBy, type ReservationStore } from './reservation.ts'
import { reservations } from './table.ts'

export const inRows: ReservationStore = {
  durable: true,
  hold: gather,
  async extend(reservation, more) {
    await extendBy(reservation, more)
    growBy(reservation, more)
  },
  holdOfChannel: gatherOfChannel,
  giveBack: (reservation, holds) => giveBackHolds(reservation, holds),
  *free(tx, ended) {
    const ids = ended.map(reservation => reservation.request_id)
    yield* run(tx.delete(reservations).where(inArray(reservations.request_id, ids)))
    if (ended.some(({ holds }) => holds)) yield* freeHolds(tx, ids)
  },
  keepThrough: () => () => {},
  forget() {},
}
