/** What the conversation has cost: number of calls, sum, and the receipt that is open, else the last one. */
import { quotaText } from '../../src/billing/quota.ts'
import { usePageContext } from '../components/page-context.tsx'
import { Receipt } from '../components/receipt.tsx'
import { answersOf, type PlaygroundConversation } from './conversation.ts'

export function Spending({
  conversation,
  opened,
}: {
  conversation: PlaygroundConversation
  opened: string | undefined
}) {
  const { t, currency } = usePageContext()
  const billed = answersOf(conversation).filter(({ bill }) => bill)
  const shown = (billed.find(({ id }) => id === opened) ?? billed.at(-1))?.bill
  if (!shown) return null
  const total = billed.reduce((sum, { bill }) => sum + bill!.slip.quota, 0)
  return (
    <div>
      <div className="flex items-baseline mb-2">
        <span className="flex-1">{t('playground.this_conversation')}</span>
        <span className="ink-2">
          {t('playground.calls', { count: billed.length, total: quotaText(total, currency, 6) })}
        </span>
      </div>
      <Receipt {...shown.slip} />
    </div>
  )
}
