/** Calls of a channel beside those of the channels that serve the same models to the same groups. */
import { PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { grouped } from '../../src/pure/number.ts'
import type { ChannelReport } from './report-view.ts'
import { reportAt } from './route-view.ts'
import { shareText } from './share-text.ts'

export function TrafficShares({ of: { id, traffic } }: { of: ChannelReport }) {
  const { t } = usePageContext()
  if (!traffic.calls) return <p className="help m-0">{t('report.no_traffic')}</p>
  const most = Math.max(...traffic.rows.map(({ calls }) => calls), 1)
  return (
    <table className="ranking" aria-label={t('report.traffic')}>
      <thead className="sr-only">
        <tr>
          <th scope="col">{t('channel.channel')}</th>
          <th scope="col">{t('dashboard.share')}</th>
          <th scope="col">{t('dashboard.calls')}</th>
          <th scope="col">{t('dashboard.share')}</th>
        </tr>
      </thead>
      <tbody>
        {traffic.rows.map(row => (
          <tr key={row.id} aria-current={row.id === id ? 'true' : undefined}>
            <th scope="row" title={row.name}>
              {row.id === id ? (
                <b>{row.name}</b>
              ) : (
                <PageLink className="hover:underline" href={reportAt(row.id)}>
                  {row.name}
                </PageLink>
              )}
            </th>
            <td className="w-full" aria-hidden="true">
              <span
                className="bar"
                style={{
                  width: `${((row.calls / most) * 100).toFixed(1)}%`,
                  background: row.id === id ? 'var(--s1)' : undefined,
                }}
              />
            </td>
            <td className="number">{grouped(row.calls)}</td>
            <td className="number share">{shareText(row.calls / traffic.calls)}</td>
          </tr>
        ))}
        {traffic.others.count > 0 && (
          <tr>
            <th scope="row">{t('dashboard.others', { count: traffic.others.count })}</th>
            <td />
            <td className="number">{grouped(traffic.others.calls)}</td>
            <td className="number share">{shareText(traffic.others.calls / traffic.calls)}</td>
          </tr>
        )}
      </tbody>
    </table>
  )
}
