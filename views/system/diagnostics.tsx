/** The diagnostics page: nodes, database, jobs, memory, warnings, and the audit by button. */
import { State } from '../../client/components/badge.tsx'
import { ActionButton } from '../../client/components/link.tsx'
import { Ago } from '../../client/components/moment.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PageHead } from '../../client/components/page-head.tsx'
import { PagePart } from '../../client/components/page-part.tsx'
import { type AuditRun, DIAGNOSTICS_PATH, type Diagnostics } from '../../src/contracts/diagnostics.ts'
import { grouped } from '../../src/pure/number.ts'
import { seconds } from '../../src/pure/time.ts'
import { Backup } from './backup.tsx'
import { CallQueue } from './call-queue.tsx'
import { DiagnosticsFigures } from './figures.tsx'
import { JobTable } from './job-table.tsx'
import { NodeTable } from './node-table.tsx'

export function DiagnosticsPage({ facts }: { facts: Diagnostics }) {
  const { t } = usePageContext()
  return (
    <>
      <PageHead title={t('diagnostics.title')}>
        <a className="btn" href={`${DIAGNOSTICS_PATH}/bundle.json`} download>
          {t('diagnostics.bundle')}
        </a>
        <ActionButton action={`${DIAGNOSTICS_PATH}/audit`} returnTo={DIAGNOSTICS_PATH} className="btn btn-primary">
          {t('diagnostics.audit')}
        </ActionButton>
      </PageHead>
      <DiagnosticsFigures facts={facts} />
      {facts.audit && <Audit run={facts.audit} />}
      <div className="call-parts">
        <PagePart title={t('diagnostics.nodes')}>
          <NodeTable nodes={facts.nodes} />
        </PagePart>
        <PagePart title={t('diagnostics.queue')} small={t('diagnostics.of_this_node')}>
          <CallQueue queue={facts.queue} />
        </PagePart>
        <PagePart title={t('diagnostics.backup')}>
          <Backup backup={facts.backup} database={facts.database} />
        </PagePart>
        <PagePart title={t('diagnostics.jobs')}>
          <JobTable jobs={facts.jobs} nodes={facts.nodes} />
        </PagePart>
        <PagePart title={t('diagnostics.warnings')} small={t('diagnostics.of_this_node')}>
          <Warnings warnings={facts.warnings} />
        </PagePart>
        <PagePart title={t('diagnostics.caches')} small={t('diagnostics.of_this_node')}>
          <Caches caches={facts.caches} />
        </PagePart>
      </div>
    </>
  )
}

function Audit({ run: { ended_time, took_ms = 0, difference, error } }: { run: AuditRun }) {
  const { t } = usePageContext()
  if (ended_time === undefined)
    return (
      <p className="mt-0">
        <State tone="limited">{t('diagnostics.audit_running')}</State>
      </p>
    )
  const wrong = difference ?? error
  return (
    <p className="mt-0">
      <State tone={wrong ? 'stopped' : 'open'}>{wrong ?? t('diagnostics.audit_clean')}</State>{' '}
      <span className="ink-3">
        <Ago at={ended_time} /> · {t('time.seconds', { value: seconds(took_ms / 1000) })}
      </span>
    </p>
  )
}

function Warnings({ warnings }: Pick<Diagnostics, 'warnings'>) {
  const { t } = usePageContext()
  if (!warnings.length) return <p className="help m-0">{t('diagnostics.no_warnings')}</p>
  return (
    <ul className="report-list">
      {warnings.map(({ at, level, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what was logged keeps its order
        <li key={index}>
          <span className="when">
            <Ago at={at} />
          </span>
          <span className="what">
            <State tone={level === 'error' ? 'stopped' : 'limited'}>{text}</State>
          </span>
        </li>
      ))}
    </ul>
  )
}

function Caches({ caches }: Pick<Diagnostics, 'caches'>) {
  const { t } = usePageContext()
  if (!caches.length) return <p className="help m-0">{t('diagnostics.no_caches')}</p>
  return (
    <dl className="facts cache-sizes">
      {caches.map(({ name, entries }) => (
        <div key={name} className="contents">
          <dt className="mono">{name}</dt>
          <dd>{grouped(entries)}</dd>
        </div>
      ))}
    </dl>
  )
}
