/** Field for an amount of quota, in USD or in units, with buttons that set or add round amounts. */
import { grouped } from '../../src/pure/number.ts'
import { type FieldProps, TextField } from './field.tsx'
import { usePageContext } from './page-context.tsx'

/** USD. */
const AMOUNTS = [1, 10, 50, 100, 500, 1000]
const ADDED = [1, 10, 50]

export function AmountField({ adds, ...props }: FieldProps & { adds?: boolean }) {
  const { t, currency } = usePageContext()
  const { display_in_currency, quota_per_unit } = currency
  const presets = (adds ? ADDED : AMOUNTS).map(amount => ({
    value: String(display_in_currency ? amount : amount * quota_per_unit),
    label: `${adds ? '+' : ''}$${grouped(amount)}`,
    adds,
  }))
  return (
    <TextField
      {...props}
      unit={display_in_currency ? 'USD' : t('token.quota_unit')}
      number
      inputMode="decimal"
      autoComplete="off"
      presets={presets}
    />
  )
}
