/** Errors of a channel's history by kind, and its cooldowns and closings by cause. */
import { State, type StateTone } from '../../client/components/badge.tsx'
import { Ago } from '../../client/components/moment.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { type ChannelEvent, FAILURE_KINDS } from '../../src/contracts/channel-history.ts'
import { grouped } from '../../src/pure/number.ts'
import { seconds } from '../../src/pure/time.ts'
import type { HistoryEvent, HistoryFigures } from './history-view.ts'
import { shareText } from './share-text.ts'

export function Failures({ of: { failures } }: { of: HistoryFigures }) {
  const { t } = usePageContext()
  const rows = FAILURE_KINDS.map(kind => ({ kind, count: failures[kind] })).filter(({ count }) => count > 0)
  if (!rows.length) return <p className="help m-0">{t('history.no_failures')}</p>
  rows.sort((one, other) => other.count - one.count)
  const all = rows.reduce((sum, { count }) => sum + count, 0)
  return (
    <table className="ranking" aria-label={t('history.failures')}>
      <thead className="sr-only">
        <tr>
          <th scope="col">{t('history.kind')}</th>
          <th scope="col">{t('history.share')}</th>
          <th scope="col">{t('history.times')}</th>
          <th scope="col">{t('history.share')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ kind, count }) => (
          <tr key={kind}>
            <th scope="row">{t(`history.${kind}`)}</th>
            <td className="w-full" aria-hidden="true">
              <span className="bar" style={{ width: `${((count / rows[0]!.count) * 100).toFixed(1)}%` }} />
            </td>
            <td className="number">{grouped(count)}</td>
            <td className="number share">{shareText(count / all)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const tones: Record<ChannelEvent, StateTone> = {
  cooldown: 'limited',
  closed: 'stopped',
  key_closed: 'stopped',
  reopened: 'open',
}

export function Events({ of }: { of: HistoryEvent[] }) {
  const { t } = usePageContext()
  if (!of.length) return <p className="help m-0">{t('history.no_events')}</p>
  return (
    <ol className="report-list">
      {of.map(({ event, model, cause, times, ms, last_at, reason }) => (
        <li key={`${event} ${cause} ${model}`}>
          <span className="when">
            <Ago at={last_at} />
          </span>
          <span className="what">
            <State tone={tones[event]}>
              {t(`history.event_${event}`)} × {grouped(times)}
            </State>{' '}
            {t(`history.${cause}`)}
            {ms > 0 && ` · ${t('time.seconds', { value: seconds(ms / 1000) })}`}
            <small>{[model, reason].filter(Boolean).join(' · ')}</small>
          </span>
        </li>
      ))}
    </ol>
  )
}
