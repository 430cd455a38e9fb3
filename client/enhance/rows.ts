/** Rows of a list: a click anywhere opens its item, keys walk through them. */
const INTERACTIVE = 'a, button, input, label, select, textarea, summary, [popover], dialog'
const ROWS = '#main .ledger:not(.plain) > tbody > tr[id^="row-"]'

/** The link of the cell that opens the row, else of the cell that names it. */
const linkOf = (row: Element | null | undefined) =>
  row?.querySelector<HTMLAnchorElement>(':scope > .opens a[href]') ??
  row?.querySelector<HTMLAnchorElement>(':scope > .main a[href]')

document.addEventListener('click', event => {
  const target = event.target as Element
  if (event.defaultPrevented || event.detail > 1 || target.closest(INTERACTIVE)) return
  const link = linkOf(target.closest(ROWS))
  if (!link || getSelection()?.isCollapsed === false) return
  if (event.ctrlKey || event.metaKey) open(link.href, '_blank', 'noopener')
  else link.click()
})

const currentRow = () => document.activeElement?.closest<HTMLElement>(ROWS)

/** Focuses the next row, or the one before. */
export function stepRow(step: 1 | -1) {
  const rows = [...document.querySelectorAll<HTMLElement>(ROWS)].filter(row => !row.closest('dialog'))
  const at = rows.indexOf(currentRow()!)
  const next = at < 0 ? rows[0] : rows[at + step]
  const link = linkOf(next)
  // Of a column that has no room, the link cannot be focused.
  const focus = link?.checkVisibility() ? link : next?.querySelector<HTMLElement>('.main a, a, button, input')
  focus?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

export const tickRow = () => currentRow()?.querySelector<HTMLInputElement>(':scope > .pick input')?.click()

/** Closes a row that is open in place. */
export const closeRow = () => linkOf(document.querySelector(`${ROWS}.opened`))?.click()
