/** Bar of batch actions, visible when rows are ticked. Its children are submit buttons with the name `action`. */
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
      <Form
        id="selection"
        action={action}
        returnTo={returnTo}
        className="selection-bar"
        aria-label={t('part.selection')}
      >
        <b role="status" data-selected={t('part.selected', { count: '{n}' })} />
        {children}
        <hr />
        <button type="reset" aria-label={t('part.clear_selection')}>
          <Icon of={X} />
        </button>
      </Form>
    </tollgate-selection>
  )
}
