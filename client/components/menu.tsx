/** Button with a popover menu of links or of ActionButtons with `className=""`. */
import Ellipsis from 'lucide/dist/esm/icons/ellipsis.mjs'
import type { ComponentProps, ReactNode } from 'react'
import { Icon } from './icon.tsx'
import { usePageContext } from './page-context.tsx'

export function Menu({
  id,
  label,
  button,
  children,
  className = 'icon-button',
}: {
  id: string
  label: string
  button: ReactNode
  children: ReactNode
  className?: string
}) {
  return (
    <>
      <button type="button" className={className} popoverTarget={id} aria-label={label}>
        {button}
      </button>
      <div id={id} popover="auto" className="popover menu" role="group" aria-label={label}>
        {children}
      </div>
    </>
  )
}

/** Menu of further actions. */
export function MoreMenu({ id, name, children }: { id: string; name: string; children: ReactNode }) {
  const { t } = usePageContext()
  return (
    <Menu id={id} label={t('ui.more_for', { name })} button={<Icon of={Ellipsis} />}>
      {children}
    </Menu>
  )
}

const ROW_MENU = 'row-menu'

/** Button of a row whose further actions are fetched from `href` when it is pressed; the list has one `RowMenu`. */
export function RowMenuButton({ name, href }: { name: string; href: string }) {
  const { t } = usePageContext()
  return (
    <button
      type="button"
      className="icon-button script-only"
      popoverTarget={ROW_MENU}
      aria-label={t('ui.more_for', { name })}
      hx-get={href}
      hx-target={`#${ROW_MENU}`}
      hx-swap="innerHTML"
    >
      <Icon of={Ellipsis} />
    </button>
  )
}

/** Where the actions of a row appear. */
export function RowMenu() {
  const { t } = usePageContext()
  return <div id={ROW_MENU} popover="auto" className="popover menu" role="group" aria-label={t('ui.actions')} />
}

export const MenuLink = ({
  icon,
  danger,
  children,
  ...rest
}: ComponentProps<'a'> & { icon?: ComponentProps<typeof Icon>['of']; danger?: boolean }) => (
  <a className={danger ? 'danger' : undefined} {...rest}>
    {icon && <Icon of={icon} />}
    {children}
  </a>
)
