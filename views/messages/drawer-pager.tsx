/** Pager of a list inside a drawer. */
import ChevronLeft from 'lucide/dist/esm/icons/chevron-left.mjs'
import ChevronRight from 'lucide/dist/esm/icons/chevron-right.mjs'
import type { ReactNode } from 'react'
import { Icon } from '../../client/components/icon.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { RichText } from '../../client/components/rich-text.tsx'
import type { Listing } from '../../src/contracts/paging.ts'
import { grouped } from '../../src/pure/number.ts'
import { lastPage, spanOf } from '../../src/pure/paging.ts'

/** What a button or link to another page needs. */
interface PageStep {
  to: number
  className: string
  label: string
  icon: ReactNode
}

/** @param step the control that loads another page */
export function DrawerPager({
  list: { page, page_size, total },
  step,
}: {
  list: Listing<unknown>
  step: (step: PageStep) => ReactNode
}) {
  const { t } = usePageContext()
  const { start, end } = spanOf(page, page_size, total)
  const last = lastPage(page_size, total)
  const control = (to: number, label: string, drawing: typeof ChevronLeft) => {
    const icon = <Icon of={drawing} />
    const className = 'btn join-item'
    if (to >= 1 && to <= last) return step({ to, className, label, icon })
    return (
      <button type="button" className={className} disabled aria-label={label}>
        {icon}
      </button>
    )
  }
  return (
    <div className="pager">
      <span>
        <RichText text={t('ui.span', { start: grouped(start), end: grouped(end), total: grouped(total) })} />
      </span>
      <span className="grow" />
      {last > 1 && (
        <span className="join">
          {control(page - 1, t('ui.previous'), ChevronLeft)}
          {control(page + 1, t('ui.next'), ChevronRight)}
        </span>
      )}
    </div>
  )
}
