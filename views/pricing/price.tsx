/** Prices in cells: an amount, or why there is none. */
import { State } from '../../client/components/badge.tsx'
import { Money } from '../../client/components/money.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { PriceLine } from '../../src/billing/price-lines.ts'
import { lineOf, type ModelPrices } from './view.ts'

const DECIMALS = 6

export const Usd = ({ of: usd }: { of: number }) => <Money of={usd} places={2} upTo={DECIMALS} />

export const Price = ({ model, bucket }: { model: ModelPrices; bucket: PriceLine['bucket'] }) => {
  const line = lineOf(model, bucket)
  return line ? <Usd of={line.usd} /> : <span className="ink-3">—</span>
}

export function NoPrice() {
  const { t } = usePageContext()
  return <State tone="limited">{t('pricing.no_price')}</State>
}

/** Of a call, or of another unit of a task. */
export function PerUnit({ model: { task, lines } }: { model: ModelPrices }) {
  const { t } = usePageContext()
  return (
    <>
      <Usd of={task?.price ?? lineOf({ lines }, 'call')?.usd ?? 0} />{' '}
      <span className="unit">{t(`pricing.per_${task?.unit ?? 'call'}`)}</span>{' '}
      {task?.when && <span className="flag ml-1">{t('pricing.by_choice')}</span>}
    </>
  )
}
