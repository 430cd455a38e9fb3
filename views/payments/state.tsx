/** State and method of an order in words. */
import { State, type StateTone } from '../../client/components/badge.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { OrderStatus, PaymentMethod } from '../../src/contracts/payment.ts'
import type { Translate } from '../../src/locales/index.ts'

const tones: Record<OrderStatus, StateTone> = { pending: 'limited', paid: 'open', expired: 'fact' }

export function OrderState({ status }: { status: OrderStatus }) {
  const { t } = usePageContext()
  return <State tone={tones[status]}>{t(`payment.status_${status}`)}</State>
}

export const methodName = (method: PaymentMethod, t: Translate) => t(`payment.method_${method}`)
