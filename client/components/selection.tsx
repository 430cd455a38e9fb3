import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import { Form } from './link.tsx'
import { usePageContext } from './page-context.tsx'

/** Appears when rows are ticked. Children are its buttons: `<button type="submit" name="action" value="disable">`. */
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
