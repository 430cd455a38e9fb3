/** Slip of a simulation: what past calls cost, and what they would have cost. */

import Printer from 'lucide/dist/esm/icons/printer.mjs'
import { Icon, Mark } from '../../client/components/icon.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { quotaText } from '../../src/billing/quota.ts'
import type { SimulatedCost, Simulation } from '../../src/contracts/pricing.ts'
import { grouped } from '../../src/pure/number.ts'
import { exact } from '../../src/pure/time.ts'

const LINES_MAX = 12

export function SimulationSlip({ simulation }: { simulation: Simulation }) {
  const { t, zone, now } = usePageContext()
  const { since, total, models, users, skipped } = simulation
  return (
    <div className="slip simulation" role="status" data-result>
      <article className="receipt" aria-label={t('pricing.simulation')}>
        <header>
          <Mark />
          <b>{t('pricing.simulation')}</b>
        </header>
        <div className="subtitle">
          {exact(since, zone)} – {exact(now, zone)}
        </div>
        {total.calls === 0 ? (
          <p className="mt-3 mb-0">{t('pricing.no_calls')}</p>
        ) : (
          <>
            <Costs head={t('pricing.model')} rows={models.map(cost => ({ name: cost.model, ...cost }))} />
            <Costs
              head={t('pricing.user')}
              rows={users.map(cost => ({ name: cost.username, ...cost }))}
              total={total}
            />
          </>
        )}
        {skipped > 0 && <p className="subtitle mt-2 mb-0">{t('pricing.skipped', { count: grouped(skipped) })}</p>}
        <div className="buttons">
          <button type="button" className="btn btn-ghost btn-sm" data-print>
            <Icon of={Printer} />
            {t('ui.print')}
          </button>
        </div>
      </article>
    </div>
  )
}

type NamedCost = SimulatedCost & { name: string }

/** The greatest changes first; the others in one line. */
function Costs({ head, rows, total }: { head: string; rows: NamedCost[]; total?: SimulatedCost }) {
  const { t } = usePageContext()
  const rest = rows.slice(LINES_MAX)
  const others = rest.reduce<SimulatedCost>(added, { calls: 0, before: 0, after: 0 })
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{head}</th>
          <th scope="col">{t('pricing.calls')}</th>
          <th scope="col">{t('pricing.then')}</th>
          <th scope="col">{t('pricing.now')}</th>
          <th scope="col">{t('pricing.difference')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, LINES_MAX).map(row => (
          <Cost key={row.name} name={row.name} cost={row} />
        ))}
        {rest.length > 0 && <Cost name={t('pricing.others', { count: rest.length })} cost={others} />}
      </tbody>
      {total && (
        <tfoot>
          <Cost name={t('ui.total')} cost={total} className="total" />
        </tfoot>
      )}
    </table>
  )
}

const added = (sum: SimulatedCost, cost: SimulatedCost): SimulatedCost => ({
  calls: sum.calls + cost.calls,
  before: sum.before + cost.before,
  after: sum.after + cost.after,
})

function Cost({ name, cost, className }: { name: string; cost: SimulatedCost; className?: string }) {
  const { calls, before, after } = cost
  return (
    <tr className={className}>
      <td title={name}>{name}</td>
      <td>{grouped(calls)}</td>
      <td>
        <Amount of={before} />
      </td>
      <td>
        <Amount of={after} />
      </td>
      <td className={after > before ? 'up' : after < before ? 'down' : undefined}>
        {after > before && '+'}
        <Amount of={after - before} />
      </td>
    </tr>
  )
}

/** Amounts below this share of a unit have six decimals. */
const TINY = 0.1

function Amount({ of: quota }: { of: number }) {
  const { currency } = usePageContext()
  const isTiny = quota !== 0 && Math.abs(quota) / currency.quota_per_unit < TINY
  return quotaText(quota, currency, isTiny ? 6 : 2)
}
