/** End of a price form: what concerns no field, the simulation, and the buttons. */
import CircleAlert from 'lucide/dist/esm/icons/circle-alert.mjs'
import Scale from 'lucide/dist/esm/icons/scale.mjs'
import { Icon } from '../../client/components/icon.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { Simulation } from '../../src/contracts/pricing.ts'
import { SimulationSlip } from './simulation.tsx'

export const SIMULATED_DAYS = ['1', '7', '30'] as const
const DAYS_DEFAULT = '7'

export interface OutcomeProps {
  errors: Record<string, string | undefined>
  /** Cost of past calls under the prices in the form. */
  simulation?: Simulation
  days?: string
}

/** An error that concerns no field, or a note that some field has one. */
export function FormNote({ errors }: Pick<OutcomeProps, 'errors'>) {
  const { t } = usePageContext()
  if (!Object.keys(errors).length) return null
  return (
    <div className="note error" role="alert">
      <Icon of={CircleAlert} />
      <span>{errors.form ?? t('pricing.check_input')}</span>
    </div>
  )
}

export const Outcome = ({ simulation }: Pick<OutcomeProps, 'simulation'>) =>
  simulation ? <SimulationSlip simulation={simulation} /> : null

export function SimulateButton({ days = DAYS_DEFAULT }: Pick<OutcomeProps, 'days'>) {
  const { t } = usePageContext()
  return (
    <span className="join">
      <button type="submit" name="action" value="simulate" className="btn join-item">
        <Icon of={Scale} />
        {t('pricing.simulate')}
      </button>
      <select name="days" className="select join-item !w-auto" defaultValue={days} aria-label={t('pricing.period')}>
        {SIMULATED_DAYS.map(count => (
          <option key={count} value={count}>
            {t('pricing.last_days', { count: Number(count) })}
          </option>
        ))}
      </select>
    </span>
  )
}

export function SaveBar({ simulation, days }: Pick<OutcomeProps, 'simulation' | 'days'>) {
  const { t } = usePageContext()
  return (
    <>
      <Outcome simulation={simulation} />
      <div className="save-bar">
        <button type="submit" className="btn btn-primary">
          {t('ui.save')}
        </button>
        <SimulateButton days={days} />
      </div>
    </>
  )
}
