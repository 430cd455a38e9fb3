/** The palette: its button, its dialog, its results, and the page of a browser without JavaScript. */

import CornerDownLeft from 'lucide/dist/esm/icons/corner-down-left.mjs'
import SearchDrawing from 'lucide/dist/esm/icons/search.mjs'
import { Empty } from '../../client/components/empty.tsx'
import { Search } from '../../client/components/filters.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PageHead } from '../../client/components/page-head.tsx'
import { PALETTE_PATH } from '../../src/contracts/palette.ts'
import { type PaletteGroup, type PaletteItem, paletteAt } from './view.ts'

/** In the top bar: a link to the page, which opens the dialog where JavaScript runs. */
export function PaletteButton() {
  const { t } = usePageContext()
  return (
    <a className="palette-button" href={PALETTE_PATH} aria-keyshortcuts="Control+K Meta+K" data-palette>
      <Icon of={SearchDrawing} />
      <span>{t('palette.button')}</span>
      <small className="key script-only" aria-hidden="true">
        Ctrl K
      </small>
    </a>
  )
}

/** Waits in a template until it is opened. */
export function PaletteDialog() {
  const { t } = usePageContext()
  return (
    <tollgate-palette failed={t('ui.unreachable')}>
      <dialog className="layer" aria-label={t('palette.title')}>
        <div className="palette">
          <label>
            <Icon of={SearchDrawing} />
            <input
              type="text"
              role="combobox"
              aria-label={t('palette.title')}
              aria-autocomplete="list"
              aria-controls="palette-results"
              aria-expanded="true"
              placeholder={t('palette.hint')}
              autoComplete="off"
              spellCheck={false}
              autoFocus
            />
            <kbd>Esc</kbd>
          </label>
          <div id="palette-results" role="listbox" aria-label={t('palette.results')} />
          <p className="sr-only" role="status" />
        </div>
      </dialog>
    </tollgate-palette>
  )
}

interface ResultsProps {
  groups: PaletteGroup[]
  text: string
  /** Where a switched preference leads back to. */
  returnTo: string
  /** As options of the listbox in the dialog. */
  asOptions?: boolean
}

export function PaletteResults({ groups, text, returnTo, asOptions }: ResultsProps) {
  const { t } = usePageContext()
  if (!groups.length) {
    const none = t('palette.none', { text })
    return asOptions ? <p className="palette-none">{none}</p> : <Empty drawing="slip" text={none} />
  }
  return groups.map(({ title, items }, index) => (
    <section
      key={title}
      role={asOptions ? 'group' : undefined}
      aria-labelledby={`palette-group-${index}`}
      className="palette-group"
    >
      <h2 id={`palette-group-${index}`} role={asOptions ? 'presentation' : undefined}>
        {title}
      </h2>
      {items.map((item, at) => (
        <Item
          key={`${item.label} ${item.href}`}
          item={item}
          returnTo={returnTo}
          option={asOptions ? `palette-${index}-${at}` : undefined}
        />
      ))}
    </section>
  ))
}

interface ItemProps {
  item: PaletteItem
  returnTo: string
  /** Id of the option in the dialog. */
  option: string | undefined
}

function Item({ item: { label, hint, value, icon, href, preference }, returnTo, option }: ItemProps) {
  const inside = (
    <>
      <Icon of={icon} />
      <span className="truncate">{label}</span>
      {hint && <small className="truncate">{hint}</small>}
      {value && <span className="value">{value}</span>}
      {option && <Icon of={CornerDownLeft} small className="enter" />}
    </>
  )
  const attributes = option ? { id: option, role: 'option', 'aria-selected': false, tabIndex: -1 } : {}
  if (href !== undefined)
    return (
      <a href={href} {...attributes}>
        {inside}
      </a>
    )
  return (
    <form method="post" action="/preferences" role={option && 'presentation'}>
      <input type="hidden" name="returnTo" value={returnTo} />
      <button type="submit" name={preference!.name} value={preference!.value} {...attributes}>
        {inside}
      </button>
    </form>
  )
}

export function PalettePage(props: ResultsProps) {
  const { t } = usePageContext()
  return (
    <>
      <PageHead title={t('palette.title')} />
      <div className="palette-page">
        <Search action={paletteAt()} name="q" value={props.text} placeholder={t('palette.hint')} wide />
        <noscript>
          <p className="help">{t('palette.press_enter')}</p>
        </noscript>
        <PaletteResults {...props} />
      </div>
    </>
  )
}
