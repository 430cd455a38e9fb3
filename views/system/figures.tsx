/** Key figures of the installation: database, Redis, pool, bills that wait. */
import { Chip, Chips } from '../../client/components/badge.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { Diagnostics } from '../../src/contracts/diagnostics.ts'
import { grouped } from '../../src/pure/number.ts'
import { seconds } from '../../src/pure/time.ts'

const MEGABYTE = 1_048_576

export function DiagnosticsFigures({ facts }: { facts: Diagnostics }) {
  const { t } = usePageContext()
  const { database, redis, changes_lag_seconds, settle_queue, queued, oldest_hold_seconds } = facts
  const { pool } = database
  const inMs = (ms: number) => t('diagnostics.ms', { value: ms < 10 ? ms.toFixed(1) : grouped(Math.round(ms)) })
  return (
    <Chips>
      <Chip label={database.engine} value={inMs(database.latency_ms)} small={t('diagnostics.latency')} />
      <Chip
        label={t('diagnostics.size')}
        value={t('diagnostics.mb', { value: grouped(Math.ceil(database.size_bytes / MEGABYTE)) })}
      />
      {pool && (
        <Chip
          label={t('diagnostics.pool')}
          value={Object.values(pool).map(grouped).join(' / ')}
          small={Object.keys(pool).join(' / ')}
        />
      )}
      {redis && (
        <Chip
          label="Redis"
          value={redis.latency_ms === undefined ? t('diagnostics.down') : inMs(redis.latency_ms)}
          small={redis.latency_ms === undefined ? undefined : t('diagnostics.latency')}
        />
      )}
      {changes_lag_seconds !== undefined && (
        <Chip label={t('diagnostics.changes_lag')} value={t('time.seconds', { value: seconds(changes_lag_seconds) })} />
      )}
      <Chip label={t('diagnostics.settle_queue')} value={grouped(settle_queue)} small={t('diagnostics.of_this_node')} />
      <Chip label={t('diagnostics.queued')} value={grouped(queued)} small={t('diagnostics.of_this_node')} />
      <Chip
        label={t('diagnostics.oldest_hold')}
        value={oldest_hold_seconds === undefined ? '—' : t('time.seconds', { value: seconds(oldest_hold_seconds, 0) })}
      />
    </Chips>
  )
}
