/** Tables in the place of the charts. */
import { Quota } from '../../client/components/money.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { grouped } from '../../src/pure/number.ts'
import { nameOf } from './labels.ts'
import { Scrolling } from './ranking.tsx'
import type { SpendFigure } from './spend.ts'
import type { DashboardView, Period } from './view.ts'

interface PeriodsProps {
  view: DashboardView
  /** Those that have begun. */
  periods: Period[]
}

export function SpendTable({ view, periods, spend: { series, rows } }: PeriodsProps & { spend: SpendFigure }) {
  const { t } = usePageContext()
  return (
    <Scrolling label={t(`dashboard.spend_${view.by}`)}>
      <table className="ledger dense plain">
        <thead>
          <tr>
            <th scope="col">{t(`dashboard.${view.by}`)}</th>
            {series.map(({ name }) => (
              <th key={name} scope="col" className="number">
                {name}
              </th>
            ))}
            <th scope="col" className="number">
              {t('dashboard.total')}
            </th>
          </tr>
        </thead>
        <tbody>
          {periods.map((period, index) => (
            <tr key={period.start}>
              <th scope="row">{nameOf(period, view.by)}</th>
              {series.map(({ name }, at) => (
                <td key={name} className="number">
                  <Quota of={rows[index]![at]!} decimals={6} />
                </td>
              ))}
              <td className="number">
                <Quota of={rows[index]!.reduce((sum, quota) => sum + quota, 0)} decimals={6} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  )
}

export function CallsTable({ view, periods }: PeriodsProps) {
  const { t } = usePageContext()
  return (
    <Scrolling label={t('dashboard.calls')}>
      <table className="ledger dense plain">
        <thead>
          <tr>
            <th scope="col">{t(`dashboard.${view.by}`)}</th>
            <th scope="col" className="number">
              {t('dashboard.served')}
            </th>
            <th scope="col" className="number">
              {t('dashboard.failed')}
            </th>
          </tr>
        </thead>
        <tbody>
          {periods.map(period => (
            <tr key={period.start}>
              <th scope="row">{nameOf(period, view.by)}</th>
              <td className="number">{grouped(period.calls)}</td>
              <td className="number">{grouped(period.failed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  )
}
