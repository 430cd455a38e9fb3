/** State and actions at the top of a code's drawer. */
import ReceiptText from 'lucide/dist/esm/icons/receipt-text.mjs'
import Ticket from 'lucide/dist/esm/icons/ticket.mjs'
import Trash2 from 'lucide/dist/esm/icons/trash.mjs'
import { Icon } from '../../client/components/icon.tsx'
import { Form, OverlayLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { type Redemption, RedemptionStatus } from '../../src/contracts/redemption.ts'
import { CodeState, usesText } from './state.tsx'
import { type CodesView, codesAction, codesAt } from './view.ts'

interface CodeActionsProps {
  code: Redemption
  view: CodesView
}

const SWITCH = 'code-switch'

/** @param overlay what the drawer shows: it needs no link to itself */
export function CodeActions({ code, view, overlay }: CodeActionsProps & { overlay: 'edit' | 'uses' }) {
  const { t } = usePageContext()
  const { id, status } = code
  const links = [
    { icon: Ticket, href: codesAt(view, { codes: id }), word: 'redemption.show_code' },
    ...(overlay === 'uses'
      ? []
      : [{ icon: ReceiptText, href: codesAt(view, { uses: id }), word: 'redemption.uses' } as const]),
    { icon: Trash2, href: codesAt(view, { delete: id }), word: 'redemption.delete' },
  ] as const
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      <span className="flex-1">
        <CodeState code={code} /> <span className="more">{usesText(code)}</span>
      </span>
      {status !== RedemptionStatus.used && (
        <button type="submit" form={SWITCH} name="status" value={oppositeOf(code)} className="btn btn-sm">
          {t(status === RedemptionStatus.unused ? 'redemption.disable' : 'redemption.enable')}
        </button>
      )}
      {links.map(({ icon, href, word }) => (
        <OverlayLink key={word} className="btn btn-sm" href={href} aria-label={t(word)} title={t(word)}>
          <Icon of={icon} small />
        </OverlayLink>
      ))}
    </div>
  )
}

export const oppositeOf = ({ status }: Redemption) =>
  status === RedemptionStatus.unused ? RedemptionStatus.disabled : RedemptionStatus.unused

/** Form of the switch above: HTML forbids a form inside the drawer's form. */
export const CodeSwitch = ({ code, view }: CodeActionsProps) => (
  <Form id={SWITCH} action={codesAction({}, `${code.id}/switch`)} returnTo={codesAt(view)}>
    {null}
  </Form>
)
