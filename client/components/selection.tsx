/** Bar of batch actions, visible when rows are ticked: its children are batch buttons. */
import X from 'lucide/dist/esm/icons/x.mjs'
import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import { Form } from './link.tsx'
import { usePageContext } from './page-context.tsx'

export function SelectionBar({
  action,
  returnTo,
  children,
}: {
  action: string
  returnTo?: string
  children: ReactNode
}) {
  const { t } = usePageContext()
  return (
    <tollgate-selection>
      <Form id="selection" action={action} returnTo={returnTo} className="selection-bar" aria-label={t('ui.selection')}>
        <b role="status" data-selected={t('ui.selected', { count: '{n}' })} />
        {children}
        <hr />
        <button type="reset" aria-label={t('ui.clear_selection')}>
          <Icon of={X} />
        </button>
      </Form>
    </tollgate-selection>
  )
}

/** Sends the ticked rows with this action. */
export const BatchButton = ({ action, icon, label }: { action: string; icon: typeof X; label: string }) => (
  <button type="submit" name="action" value={action}>
    <Icon of={icon} />
    <span>{label}</span>
  </button>
)
