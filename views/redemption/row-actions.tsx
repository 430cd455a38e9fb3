/** Actions of a code's row: two buttons and a menu. */
import ReceiptText from 'lucide/dist/esm/icons/receipt-text.mjs'
import Ticket from 'lucide/dist/esm/icons/ticket.mjs'
import Trash2 from 'lucide/dist/esm/icons/trash.mjs'
import { ActionButton, OverlayLink, overlayRequest } from '../../client/components/link.tsx'
import { MenuLink, MoreMenu } from '../../client/components/menu.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { type Redemption, RedemptionStatus } from '../../src/contracts/redemption.ts'
import { oppositeOf } from './code-actions.tsx'
import { type CodesView, codesAction, codesAt } from './view.ts'

interface RowActionsProps {
  code: Redemption
  view: CodesView
}

export function RowActions({ code, view }: RowActionsProps) {
  const { t } = usePageContext()
  const { id, name } = code
  const looks = [
    { icon: Ticket, href: codesAt(view, { codes: id }), word: 'redemption.show_code' },
    { icon: ReceiptText, href: codesAt(view, { uses: id }), word: 'redemption.uses' },
  ] as const
  const remove = codesAt(view, { delete: id })
  return (
    <>
      <Switch code={code} view={view} />
      <Edit code={code} view={view} />
      <MoreMenu id={`more-${id}`} name={name}>
        {looks.map(({ icon, href, word }) => (
          <MenuLink key={word} icon={icon} href={href} {...overlayRequest(href)}>
            {t(word)}
          </MenuLink>
        ))}
        <MenuLink icon={Trash2} danger href={remove} {...overlayRequest(remove)}>
          {t('redemption.delete')}
        </MenuLink>
      </MoreMenu>
    </>
  )
}

/** Disabled for a used code: its state is final. */
function Switch({ code, view }: RowActionsProps) {
  const { t } = usePageContext()
  const { id, name, status } = code
  if (status === RedemptionStatus.used)
    return (
      <button type="button" className="btn btn-ghost btn-sm" disabled title={t('redemption.used_final')}>
        {t('redemption.enable')}
      </button>
    )
  const act = status === RedemptionStatus.unused ? 'disable' : 'enable'
  return (
    <ActionButton
      action={codesAction({}, `${id}/switch`)}
      returnTo={codesAt(view)}
      name="status"
      value={oppositeOf(code)}
      aria-label={t(`redemption.${act}_named`, { name })}
    >
      {t(`redemption.${act}`)}
    </ActionButton>
  )
}

function Edit({ code: { id, name, status }, view }: RowActionsProps) {
  const { t } = usePageContext()
  if (status !== RedemptionStatus.unused)
    return (
      <button type="button" className="btn btn-ghost btn-sm" disabled title={t('redemption.only_unused_edited')}>
        {t('redemption.edit')}
      </button>
    )
  return (
    <OverlayLink
      className="btn btn-ghost btn-sm"
      href={codesAt(view, { edit: id })}
      aria-label={t('redemption.edit_named', { name })}
    >
      {t('redemption.edit')}
    </OverlayLink>
  )
}
