/** Facts of the running system, and the newest release. */
import RefreshCw from 'lucide/dist/esm/icons/refresh-cw.mjs'
import { Icon } from '../../client/components/icon.tsx'
import { Ago, At } from '../../client/components/moment.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { ReleaseCheck, SystemInfo } from '../../src/contracts/system.ts'
import { grouped } from '../../src/pure/number.ts'
import { OutcomeNote } from './outcome-note.tsx'
import { sectionId, tabAt } from './view.ts'

const MEGABYTE = 1_048_576

export function SystemFacts({ info }: { info: SystemInfo }) {
  const { t } = usePageContext()
  const { version, start_time, runtime, database, database_bytes, nodes } = info
  return (
    <dl className="facts">
      <dt>{t('system.version')}</dt>
      <dd className="mono">{version}</dd>
      <dt>{t('system.started')}</dt>
      <dd>
        <Ago at={start_time} />{' '}
        <span className="ink-3">
          · <At at={start_time} />
        </span>
      </dd>
      <dt>{t('system.runtime')}</dt>
      <dd>{runtime}</dd>
      <dt>{t('system.database')}</dt>
      <dd>
        {database} <span className="ink-3">· {grouped(Math.ceil(database_bytes / MEGABYTE))} MB</span>
      </dd>
      <dt>{t('system.nodes')}</dt>
      <dd>{nodes}</dd>
    </dl>
  )
}

export function UpdateCheck({ release, error }: { release?: ReleaseCheck; error?: string }) {
  const { t } = usePageContext()
  return (
    <div className="grid gap-3">
      {error && <OutcomeNote outcome={{ ok: false, text: error }} />}
      {release && !release.is_newer && <OutcomeNote outcome={{ ok: true, text: t('system.latest') }} />}
      {release?.is_newer && <ReleaseNotice release={release} />}
      <span>
        <a href={`${tabAt('other', { check: '' })}#${sectionId('updates')}`} className="btn btn-sm" rel="nofollow">
          <Icon of={RefreshCw} small />
          {t('system.check')}
        </a>
      </span>
    </div>
  )
}

function ReleaseNotice({ release: { latest, current, url, notes } }: { release: ReleaseCheck }) {
  const { t } = usePageContext()
  return (
    <section className="content-preview" aria-label={t('system.newer', { version: latest })}>
      <h3>{t('system.newer', { version: latest })}</h3>
      <p className="help">
        {t('system.current', { version: current })}
        {url && (
          <>
            {' · '}
            <a href={url} target="_blank" rel="noopener noreferrer">
              {t('system.release')}
            </a>
          </>
        )}
      </p>
      <div className="message-text" dangerouslySetInnerHTML={{ __html: notes }} />
    </section>
  )
}
