/** Filters of the orders as a sentence, and as fields on phones. */
import { TextField } from '../../client/components/field.tsx'
import { Filters, PickSelect, PickText, Sentence, SheetSelect } from '../../client/components/filters.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { NameField, PickName } from '../../client/components/picker.tsx'
import { PickRange, RangeField } from '../../client/components/range.tsx'
import { ORDER_STATUSES, PAYMENT_METHODS } from '../../src/contracts/payment.ts'
import type { Translate } from '../../src/locales/index.ts'
import { methodName } from './state.tsx'
import { filterCount, type OrdersView, ordersAt } from './view.ts'

const statesOf = (t: Translate) => [
  { value: '', label: t('payment.any_status') },
  ...ORDER_STATUSES.map(status => ({ value: status, label: t(`payment.status_${status}`) })),
]

const methodsOf = (t: Translate) => [
  { value: '', label: t('payment.any_method') },
  ...PAYMENT_METHODS.map(method => ({ value: method, label: methodName(method, t) })),
]

export function OrderFilters({ view }: { view: OrdersView }) {
  const { t } = usePageContext()
  const controls = {
    status: <PickSelect name="status" label={t('payment.state')} options={statesOf(t)} value={view.status} />,
    method: <PickSelect name="method" label={t('payment.method')} options={methodsOf(t)} value={view.method} />,
    user: (
      <PickName
        of="users"
        id="pick-user"
        name="username"
        label={t('user.user')}
        any={t('payment.any_user')}
        value={view.username}
      />
    ),
    number: (
      <PickText name="trade_no" label={t('payment.number')} any={t('payment.any_number')} value={view.trade_no} />
    ),
    range: <PickRange range={view.range} from={view.from} to={view.to} usual={undefined} />,
  }
  return (
    <Filters action={ordersAt()} count={filterCount(view)} sheet={<Sheet view={view} />}>
      <Sentence text={t('payment.sentence')} controls={controls} />
    </Filters>
  )
}

function Sheet({ view }: { view: OrdersView }) {
  const { t } = usePageContext()
  return (
    <>
      <SheetSelect name="status" label={t('payment.state')} options={statesOf(t)} value={view.status} />
      <SheetSelect name="method" label={t('payment.method')} options={methodsOf(t)} value={view.method} />
      <NameField of="users" name="username" label={t('user.user')} placeholder={t('ui.any')} value={view.username} />
      <TextField
        name="trade_no"
        label={t('payment.number')}
        placeholder={t('ui.any')}
        value={view.trade_no}
        autoComplete="off"
      />
      <RangeField range={view.range} from={view.from} to={view.to} usual={undefined} />
    </>
  )
}
