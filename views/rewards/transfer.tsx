/** Dialog that moves earnings to the balance. */

import { Drawer } from '../../client/components/drawer.tsx'
import { TextField } from '../../client/components/field.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { balanceText, fromQuota } from '../../src/billing/quota.ts'
import { ME_PATH } from '../../src/contracts/profile.ts'
import { meTabAt } from '../me/view.ts'

interface TransferProps {
  /** Quota. */
  pending: number
  minimum: number
  values: { quota: string; form_id: string }
  errors?: Record<string, string>
}

export function TransferDialog({ pending, minimum, values, errors }: TransferProps) {
  const { t, currency } = usePageContext()
  const facts = { pending: balanceText(pending, currency), minimum: balanceText(minimum, currency) }
  return (
    <Drawer
      title={t('reward.transfer_title')}
      close={meTabAt('rewards')}
      action={`${ME_PATH}/transfer`}
      submit={t('reward.transfer_do')}
      values={values}
      errors={errors}
    >
      <TextField
        name="quota"
        label={t('reward.transfer_amount')}
        unit={currency.display_in_currency ? 'USD' : t('token.quota_unit')}
        help={t('reward.transfer_help', facts)}
        number
        inputMode="decimal"
        autoComplete="off"
        presets={[{ value: fromQuota(pending, currency), label: t('reward.transfer_all') }]}
        required
        autoFocus
      />
      <input type="hidden" name="form_id" value={values.form_id} />
    </Drawer>
  )
}
