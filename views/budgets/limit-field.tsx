/** A limit as one field of a form: an amount in each day, week or month, or in all. It is the simplest of budgets. */
import { Field } from '../../client/components/field.tsx'
import { useFieldState } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { LIMIT_WINDOWS } from '../../src/contracts/budget.ts'

export function LimitField({ help }: { help: string }) {
  const { t, currency } = usePageContext()
  const window = useFieldState('limit_window')
  const was = useFieldState('limit_was')
  return (
    <>
      <Field name="limit_amount" label={t('budget.limit')} help={help}>
        {({ value, ...control }) => (
          <span className="grid grid-cols-2 gap-3">
            <span className={control['aria-invalid'] ? 'input input-error' : 'input'}>
              <input
                {...control}
                className="number"
                defaultValue={value}
                placeholder={t('budget.no_limit')}
                inputMode="decimal"
                autoComplete="off"
              />
              <span className="suffix">{currency.display_in_currency ? 'USD' : t('token.quota_unit')}</span>
            </span>
            <select
              name="limit_window"
              className="select"
              aria-label={t('budget.limit_window')}
              defaultValue={window.value}
            >
              {LIMIT_WINDOWS.map(one => (
                <option key={one} value={one}>
                  {t(`budget.per_${one}`)}
                </option>
              ))}
            </select>
          </span>
        )}
      </Field>
      {/* What the form was filled with: an unchanged limit is not saved. */}
      <input type="hidden" name="limit_was" value={was.value ?? ''} />
    </>
  )
}
