/** Calls of a channel by hour, as a table. */
import { usePageContext } from '../../client/components/page-context.tsx'
import { grouped } from '../../src/pure/number.ts'
import { nameOf } from '../dashboard/labels.ts'
import type { Period } from '../dashboard/view.ts'

/** It scrolls in its own frame, by the keyboard too. */
export function HoursTable({ periods }: { periods: Period[] }) {
  const { t } = usePageContext()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className="ledger-wrap scrolling" aria-label={t('dashboard.calls')} tabIndex={0}>
      <table className="ledger dense plain">
        <thead>
          <tr>
            <th scope="col">{t('dashboard.hour')}</th>
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
              <th scope="row">{nameOf(period, 'hour')}</th>
              <td className="number">{grouped(period.calls)}</td>
              <td className="number">{grouped(period.failed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
