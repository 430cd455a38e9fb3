/** Section of the daily check-in: rule, calendar of the month, button. */

import { Form } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { balanceText } from '../../src/billing/quota.ts'
import { ME_PATH } from '../../src/contracts/profile.ts'
import type { CheckInState } from '../../src/contracts/reward.ts'
import type { Visit } from '../../src/contracts/visit.ts'
import { HumanCheck } from '../human-check/human-check.tsx'
import { Section } from '../me/section.tsx'
import { Calendar } from './calendar.tsx'

interface CheckInProps {
  visit: Visit
  state: CheckInState
  form_id: string
  errors: Record<string, string>
}

export function CheckIn({ visit, state, form_id, errors }: CheckInProps) {
  const { t } = usePageContext()
  const { today, days, can_check_in } = state
  const isDone = days.some(({ day }) => day === today)
  return (
    <Section title={t('reward.check_in')} help={useRule(state)}>
      <div className="check-in">
        <Calendar today={today} days={days} />
        <Form action={`${ME_PATH}/check-in`} errors={errors} className="grid content-start gap-4">
          <input type="hidden" name="form_id" value={form_id} />
          <p className="m-0 ink-2">{useTotal(state)}</p>
          {can_check_in && <HumanCheck visit={visit} />}
          <span>
            <button type="submit" className="btn btn-primary" disabled={!can_check_in}>
              {t(isDone ? 'reward.checked_in_today' : 'reward.check_in_now')}
            </button>
          </span>
        </Form>
      </div>
    </Section>
  )
}

function useRule({ min, max }: CheckInState): string {
  const { t, currency } = usePageContext()
  const [least, most] = [balanceText(min, currency), balanceText(max, currency)]
  if (!min) return t('reward.check_in_unset')
  return max > min
    ? t('reward.check_in_random', { min: least, max: most })
    : t('reward.check_in_fixed', { reward: least })
}

function useTotal({ days }: CheckInState): string {
  const { t, currency } = usePageContext()
  const total = days.reduce((sum, { quota }) => sum + quota, 0)
  if (!days.length) return t('reward.month_none')
  return t('reward.month', { count: days.length, total: balanceText(total, currency) })
}
