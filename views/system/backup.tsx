/** The backup of `BACKUP_URL`: its light, its age, the last restore test. */
import { State } from '../../client/components/badge.tsx'
import { ActionButton } from '../../client/components/link.tsx'
import { Ago, At } from '../../client/components/moment.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { type BackupFacts, DIAGNOSTICS_PATH, type Diagnostics } from '../../src/contracts/diagnostics.ts'

const TEST_PATH = `${DIAGNOSTICS_PATH}/jobs/test-backup/run`

export function Backup({ backup, database }: Pick<Diagnostics, 'backup' | 'database'>) {
  const { t } = usePageContext()
  if (!backup) return <p className="help m-0">{t('diagnostics.backup_none')}</p>
  const { newest_time, snapshot_time, gap, last_test, is_testing } = backup
  return (
    <>
      <dl className="facts">
        <dt>{t('diagnostics.backup_state')}</dt>
        <dd>
          <Light backup={backup} />
        </dd>
        <dt>{t('diagnostics.backup_newest')}</dt>
        <dd>{newest_time === undefined ? '—' : <Ago at={newest_time} />}</dd>
        <dt>{t(database.engine.startsWith('SQLite') ? 'diagnostics.backup_snapshot' : 'diagnostics.backup_dump')}</dt>
        <dd>{snapshot_time === undefined ? '—' : <Ago at={snapshot_time} />}</dd>
        {gap && (
          <>
            <dt>{t('diagnostics.backup_gap')}</dt>
            <dd>
              <span className="whitespace-nowrap">
                <At at={gap.from} /> –
              </span>{' '}
              <span className="whitespace-nowrap">
                {gap.to === undefined ? t('diagnostics.backup_gap_open') : <At at={gap.to} />}
              </span>
              <p className="help m-0">{t('diagnostics.backup_gap_help')}</p>
            </dd>
          </>
        )}
        <dt>{t('diagnostics.backup_test')}</dt>
        <dd>
          {is_testing ? <State tone="limited">{t('diagnostics.backup_testing')}</State> : <Outcome test={last_test} />}
        </dd>
      </dl>
      <div className="mt-3">
        <ActionButton action={TEST_PATH} returnTo={DIAGNOSTICS_PATH} className="btn btn-sm">
          {t('diagnostics.backup_run')}
        </ActionButton>
      </div>
    </>
  )
}

function Light({ backup: { ok, error, snapshot_time } }: { backup: BackupFacts }) {
  const { t } = usePageContext()
  if (error) return <State tone="stopped">{t('diagnostics.backup_stopped', { reason: error })}</State>
  if (!ok) return <State tone="stopped">{t('diagnostics.backup_unusable')}</State>
  if (snapshot_time === undefined) return <State tone="limited">{t('diagnostics.backup_starting')}</State>
  return <State tone="open">{t('diagnostics.backup_ok')}</State>
}

function Outcome({ test }: { test: BackupFacts['last_test'] }) {
  const { t } = usePageContext()
  if (!test) return t('diagnostics.backup_untested')
  return (
    <>
      <State tone={test.error ? 'stopped' : 'open'}>{test.error || t('diagnostics.backup_passed')}</State>{' '}
      <span className="ink-3 whitespace-nowrap">
        <Ago at={test.at} />
      </span>
    </>
  )
}
