/** Who or what spent most. */
import { PageLink } from '../../client/components/link.tsx'
import { Quota } from '../../client/components/money.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { Translate } from '../../src/locales/index.ts'
import { callsAt } from './calls.ts'
import { colourOf } from './colours.ts'
import { labelOf } from './labels.ts'
import {
  type DashboardFigures,
  type DashboardView,
  dashboardAt,
  type RankedRow,
  type Ranking as RankingData,
} from './view.ts'

interface RankingProps {
  view: DashboardView
  ranking: RankingData
  /** Of the whole range. */
  figures: DashboardFigures
  /** Colour by model; the bars of other rankings are grey. */
  colours?: Map<string, number>
}

export function Ranking({ view, ranking, figures, colours }: RankingProps) {
  const { t } = usePageContext()
  const rows = withRest(ranking, t)
  const most = Math.max(...rows.map(({ quota }) => quota), 1)
  const hasFailures = ranking.by === 'user' || ranking.by === 'channel'
  return (
    <table className="ranking" aria-label={t(`dashboard.by_${ranking.by}`)}>
      <thead className="sr-only">
        <tr>
          <th scope="col">{t(`dashboard.name_${ranking.by}`)}</th>
          <th scope="col">{t('dashboard.share')}</th>
          {hasFailures && <th scope="col">{t('dashboard.failed')}</th>}
          <th scope="col">{t('dashboard.spent')}</th>
          <th scope="col">{t('dashboard.share')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <tr key={row.key}>
            <th scope="row" title={row.name}>
              <Name row={row} view={view} by={ranking.by} figures={figures} />
            </th>
            <td className="w-full" aria-hidden="true">
              <span
                className="bar"
                style={{
                  width: `${((row.quota / most) * 100).toFixed(1)}%`,
                  background: colours ? colourOf(colours.get(row.key)) : undefined,
                }}
              />
            </td>
            {hasFailures && (
              <td className="number ink-3">{row.failed ? t('dashboard.failed_count', { count: row.failed }) : ''}</td>
            )}
            <td className="number">
              <Quota of={row.quota} />
            </td>
            <td className="number share">{shareOf(row.quota, figures.sums.quota)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface NameProps extends Pick<RankingProps, 'view' | 'figures'> {
  row: RankedRow
  by: RankingData['by']
}

/** Leads to the calls of the row; a user's to the dashboard of that user. */
function Name({ row, view, by, figures }: NameProps) {
  const { t, zone } = usePageContext()
  const name = row.key === REST ? row.name : labelOf(by, row, t)
  if (row.key === REST || !row.name) return name
  return (
    <PageLink
      className="hover:underline"
      href={by === 'user' ? dashboardAt({ ...view, of: Number(row.key) }) : callsAt(figures, by, row, zone)}
    >
      {name}
    </PageLink>
  )
}

/** Key of the row for all that have none. */
const REST = ''

const withRest = ({ rows, rest }: RankingData, t: Translate): RankedRow[] =>
  rest.count ? [...rows, { ...rest, key: REST, name: t('dashboard.others', { count: rest.count }) }] : rows

const PER_CENT = 100

const shareOf = (part: number, total: number) => `${(total > 0 ? (part / total) * PER_CENT : 0).toFixed(1)}%`
