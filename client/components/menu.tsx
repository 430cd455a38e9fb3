/** Button with a popover menu of links or of ActionButtons with `className=""`. */
import Ellipsis from 'lucide-react/icons/ellipsis'
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

/** Menu of a row's further actions. */
export function MoreMenu({ id, name, children }: { id: string; name: string; children: ReactNode }) {
  const { t } = usePageContext()
  return (
    <Menu id={id} label={t('part.more_for', { name })} button={<Icon of={Ellipsis} />}>
      {children}
    </Menu>
  )
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
