/** Section of invitations: earnings, link, transfer, invitees. */
import { Chip, Chips } from '../../client/components/badge.tsx'
import { Copy } from '../../client/components/copy.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { balanceText } from '../../src/billing/quota.ts'
import { grouped } from '../../src/pure/number.ts'
import { Section } from '../me/section.tsx'
import { rewardDialogAt } from '../me/view.ts'

/** Amounts are quota. */
export interface InvitationFacts {
  link: string
  count: number
  pending: number
  total: number
  /** Least quota of a transfer. */
  minimum: number
  /** Percentage of the rebate; 0 for none. */
  rebate: number
}

export function Invitation({ facts: { link, count, pending, total, minimum, rebate } }: { facts: InvitationFacts }) {
  const { t, currency } = usePageContext()
  const canTransfer = pending >= minimum
  return (
    <Section title={t('me.invitation')} help={t('me.invitation_help')}>
      <Chips>
        <Chip label={t('reward.pending')} value={balanceText(pending, currency)} />
        <Chip label={t('reward.total')} value={balanceText(total, currency)} />
        <Chip label={t('reward.invitees')} value={grouped(count)} />
      </Chips>
      <div className="flex items-center gap-2">
        <input className="input mono" readOnly value={link} aria-label={t('me.invitation_link')} />
        <Copy text={link} className="btn shrink-0">
          {t('ui.copy')}
        </Copy>
      </div>
      {rebate > 0 && <p className="help m-0">{t('reward.rebate_rate', { percentage: rebate })}</p>}
      <span className="flex flex-wrap items-center gap-2">
        {canTransfer && (
          <PageLink href={rewardDialogAt('transfer')} className="btn">
            {t('reward.transfer')}
          </PageLink>
        )}
        {count > 0 && (
          <PageLink href={rewardDialogAt('invitees')} className="btn btn-ghost">
            {t('reward.show_invitees')}
          </PageLink>
        )}
        {!canTransfer && pending > 0 && (
          <span className="help">{t('reward.transfer_from', { minimum: balanceText(minimum, currency) })}</span>
        )}
      </span>
    </Section>
  )
}
