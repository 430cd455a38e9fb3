/** Banner over the console's pages while the reader's balance is below their warning threshold. */
import TriangleAlert from 'lucide/dist/esm/icons/triangle-alert.mjs'
import { Icon } from '../../client/components/icon.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { balanceText } from '../../src/billing/quota.ts'
import { WALLET_PATH } from '../../src/contracts/payment.ts'
import type { Visit } from '../../src/contracts/visit.ts'

/** The wallet shows the balance and the ways to top it up itself. */
export function LowBalance({ visit: { low_balance, status, url } }: { visit: Visit }) {
  const { t } = usePageContext()
  if (low_balance === undefined || url.startsWith(WALLET_PATH)) return null
  return (
    <aside className="note warning low-balance" aria-label={t('shell.wallet')}>
      <Icon of={TriangleAlert} small />
      <span>
        {low_balance > 0
          ? t('shell.low_balance', { balance: balanceText(low_balance, status) })
          : t('shell.no_balance')}
      </span>
      <a href={WALLET_PATH}>{t('shell.top_up')}</a>
    </aside>
  )
}
