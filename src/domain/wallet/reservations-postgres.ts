/** PostgreSQL, many nodes: reservations are rows, inserted in the turn of their user, swept with their dead node. */
import { inArray } from 'drizzle-orm'
import { run } from '../../db/atomic.ts'
import { gather } from './gathered-holds.ts'
import { extendTo } from './hold-alone.ts'
import type { ReservationStore } from './reservation.ts'
import { reservations } from './table.ts'

export const inRows: ReservationStore = {
  durable: true,
  hold: gather,
  async extend(reservation, more) {
    const quota = reservation.quota + more
    await extendTo(reservation, quota)
    reservation.quota = quota
  },
  *free(tx, ended) {
    const ids = ended.map(reservation => reservation.request_id)
    yield* run(tx.delete(reservations).where(inArray(reservations.request_id, ids)))
  },
  keepThrough: () => () => {},
  forget() {},
}
