/** Metrics of what nodes share. */
import { env } from '../env.ts'
import { gauge } from '../process/metrics/gauge.ts'
import { changesLag_seconds } from './changes.ts'
import { countNodes } from './node.ts'
import { redis } from './redis.ts'

gauge('tollgate_nodes', 'Nodes that are alive.', countNodes)
gauge(
  'tollgate_changes_lag_seconds',
  'Since this node last read what others have changed; on PostgreSQL.',
  changesLag_seconds,
)
gauge('tollgate_redis_up', 'Whether Redis is connected, 1 or 0; with REDIS_URL.', () =>
  env.REDIS_URL ? Number(redis()?.status === 'ready') : undefined,
)
