/** Sends this node's heartbeat and frees the reservations of dead nodes. */
import { HEARTBEAT_SECONDS } from '../cluster/node.ts'
import { keepReservations } from '../domain/wallet/index.ts'
import type { Job } from './job.ts'

export const keepReservationsJob: Job = {
  name: 'keep-reservations',
  scope: 'node',
  every_seconds: () => HEARTBEAT_SECONDS,
  run: keepReservations,
}
