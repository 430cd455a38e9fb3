/** Copy button. Without children it shows an icon and needs a `label`. */
import CopyDrawing from 'lucide/dist/esm/icons/copy.mjs'
import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import { usePageContext } from './page-context.tsx'

export function Copy({
  text,
  of,
  label,
  className,
  children,
}: {
  text?: string
  /** Ids of elements whose texts are copied, with spaces between. */
  of?: string
  label?: string
  className?: string
  children?: ReactNode
}) {
  const { t } = usePageContext()
  return (
    <button
      type="button"
      className={className ?? (children ? 'btn btn-ghost' : 'icon-button')}
      data-copy={text}
      data-copy-of={of}
      aria-label={children ? undefined : (label ?? t('ui.copy'))}
    >
      <Icon of={CopyDrawing} small={!children} />
      {children}
    </button>
  )
}
