/** What the wallet holds now, on this node. */
import { gauge, gauges } from '../../process/metrics/gauge.ts'
import { uncommitted } from './queue.ts'
import { open } from './reservations.ts'

gauge('tollgate_settle_queue', 'Ended calls whose commit is awaited.', () => uncommitted().length)
gauges(
  'tollgate_reservations',
  'Reservations of this node: their number, and the quota that they hold.',
  ['kind'],
  () => {
    let quota = 0
    for (const reservation of open.values()) quota += reservation.quota
    return [
      [['count'], open.size],
      [['quota'], quota],
    ]
  },
)
