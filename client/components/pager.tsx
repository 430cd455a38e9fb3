/** Pager of a list: position, page size (kept in a cookie), previous and next. */
import ChevronLeft from 'lucide/dist/esm/icons/chevron-left.mjs'
import ChevronRight from 'lucide/dist/esm/icons/chevron-right.mjs'
import { PAGE_SIZES } from '../../src/contracts/paging.ts'
import { grouped } from '../../src/pure/number.ts'
import { lastPage, spanOf } from '../../src/pure/paging.ts'
import { Icon } from './icon.tsx'
import { Form, PageLink } from './link.tsx'
import { usePageContext } from './page-context.tsx'
import { RichText } from './rich-text.tsx'

export function Pager({
  page,
  size,
  total,
  capped = false,
  hrefOf,
}: {
  page: number
  size: number
  total: number
  /** `total` is a lower bound. */
  capped?: boolean
  hrefOf: (page: number) => string
}) {
  const { t } = usePageContext()
  const { start, end } = spanOf(page, size, total)
  const last = lastPage(size, total)
  const facts = { start: grouped(start), end: grouped(end), total: grouped(total) + (capped ? '+' : '') }
  return (
    <nav className="pager" aria-label={t('ui.pages')}>
      <span>
        <RichText text={t('ui.span', facts)} />
      </span>
      <span className="grow" />
      <Form
        action="/preferences"
        returnTo={hrefOf(1)}
        className="wide-only flex items-center gap-2"
        hx-trigger="change"
      >
        <select className="select !w-auto" name="page-size" defaultValue={size} aria-label={t('ui.page_size')}>
          {PAGE_SIZES.map(choice => (
            <option key={choice} value={choice}>
              {t('ui.per_page', { size: choice })}
            </option>
          ))}
        </select>
        <noscript>
          <button type="submit" className="btn">
            {t('ui.show')}
          </button>
        </noscript>
      </Form>
      {last > 1 && (
        <span className="join">
          <StepLink to={page > 1 ? hrefOf(page - 1) : undefined} label={t('ui.previous')} icon={ChevronLeft} />
          <StepLink to={page < last ? hrefOf(page + 1) : undefined} label={t('ui.next')} icon={ChevronRight} />
        </span>
      )}
    </nav>
  )
}

function StepLink({ to, label, icon }: { to: string | undefined; label: string; icon: typeof ChevronLeft }) {
  if (to === undefined)
    return (
      <button type="button" className="btn join-item" disabled aria-label={label}>
        <Icon of={icon} />
      </button>
    )
  return (
    <PageLink href={to} className="btn join-item" aria-label={label}>
      <Icon of={icon} />
    </PageLink>
  )
}
