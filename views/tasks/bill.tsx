/** Receipt of a task, as its price was frozen. */
import { usePageContext } from '../../client/components/page-context.tsx'
import { Receipt } from '../../client/components/receipt.tsx'
import { quotaText } from '../../src/billing/quota.ts'
import { taskBill } from '../../src/billing/task-price.ts'
import { slipLineOf } from '../logs/bill.tsx'
import type { TaskDetail } from './task.ts'

/** Nothing for a task that was never charged. What a maker reports in the end may have changed the charge. */
export function TaskBill({ task }: { task: TaskDetail }) {
  const { t, currency } = usePageContext()
  const { price_basis, charged, refunded, request_id, group, model, submit_ms } = task
  if (!charged) return null
  const { quota, lines } = taskBill(price_basis)
  const facts = [
    ...(quota === charged ? [] : [{ label: t('task.charged'), value: quotaText(charged, currency, 6) }]),
    ...(refunded ? [{ label: t('task.refunded'), value: quotaText(refunded, currency, 6) }] : []),
  ]
  return (
    <Receipt
      title={model}
      lines={lines.map(line => slipLineOf(line, 1, t))}
      per={t('log.per_each')}
      group={{ name: group, ratio: price_basis.group_ratio }}
      quota={quota}
      request_id={request_id}
      at={Math.floor(submit_ms / 1000)}
      facts={facts}
    />
  )
}
