/** Metrics of the connections to PostgreSQL. */
import { gauges } from '../process/metrics/gauge.ts'
import { postgres } from './database.ts'

gauges(
  'tollgate_db_pool',
  'Connections to PostgreSQL that are busy and free, and the work that is waiting for one.',
  ['state'],
  () => Object.entries(postgres?.states ?? {}).map(([state, count]) => [[state], count] as const),
)
