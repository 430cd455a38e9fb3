/** Filters as a sentence; on phones a button opens them as a sheet. Also the search field. */
import ChevronDown from 'lucide/dist/esm/icons/chevron-down.mjs'
import ChevronRight from 'lucide/dist/esm/icons/chevron-right.mjs'
import ListFilter from 'lucide/dist/esm/icons/list-filter.mjs'
import SearchDrawing from 'lucide/dist/esm/icons/search.mjs'
import X from 'lucide/dist/esm/icons/x.mjs'
import type { ComponentProps, ReactNode } from 'react'
import { SelectField, type SelectOption } from './field.tsx'
import { Icon } from './icon.tsx'
import { PageLink, viewRequest } from './link.tsx'
import { usePageContext } from './page-context.tsx'

interface FiltersProps {
  /** URL of the page; the filters become its query. */
  action: string
  count: number
  /** Filters as fields, for phones. */
  sheet: ReactNode
  /** Sentence with PickSelect and PickText. */
  children: ReactNode
}

/** A choice applies at once, typed text 300 ms after the last key. */
const APPLY = 'change target:":not(.typed)", submit, input delay:300ms target:.typed'

export function Filters({ action, count, sheet, children }: FiltersProps) {
  const { t } = usePageContext()
  return (
    <div className="mb-3">
      <button type="button" className="btn filter-open w-full !justify-start !font-normal" popoverTarget="filter-sheet">
        <Icon of={ListFilter} />
        <span className="flex-1 text-left">{t('ui.filters')}</span>
        {count > 0 && <span className="ink-2">{t('ui.filters_set', { count })}</span>}
        <Icon of={ChevronRight} />
      </button>
      <form className="sentence folds" method="get" action={action} {...viewRequest(action)} hx-trigger={APPLY}>
        {children}
        <span className="flex-1" />
        <noscript>
          <button type="submit" className="btn btn-sm">
            {t('ui.show')}
          </button>
        </noscript>
        {count > 0 && (
          <PageLink href={action} className="btn btn-ghost btn-sm">
            {t('ui.clear')}
          </PageLink>
        )}
      </form>
      <form
        id="filter-sheet"
        popover="auto"
        className="sheet"
        method="get"
        action={action}
        {...viewRequest(action)}
        aria-labelledby="filter-title"
      >
        <header>
          <h2 id="filter-title">{t('ui.filters')}</h2>
          {count > 0 && (
            <PageLink href={action} className="btn btn-ghost">
              {t('ui.clear')}
            </PageLink>
          )}
          <button
            type="button"
            className="icon-button"
            popoverTarget="filter-sheet"
            popoverTargetAction="hide"
            aria-label={t('ui.close')}
          >
            <Icon of={X} />
          </button>
        </header>
        <div className="grid content-start gap-4">{sheet}</div>
        <footer>
          <button type="submit" className="btn btn-primary">
            {t('ui.apply_filters')}
          </button>
        </footer>
      </form>
    </div>
  )
}

interface PickProps {
  name: string
  label: string
  value?: string
}

/** Select inside the sentence; the first option means "any". */
export function PickSelect({ name, label, options, value = '' }: PickProps & { options: SelectOption[] }) {
  const isSet = value !== '' && value !== String(options[0]?.value)
  return (
    <span className={`picker ${isSet ? 'set' : 'any'}`}>
      <select name={name} aria-label={label} defaultValue={value}>
        {options.map(option => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon of={ChevronDown} small />
    </span>
  )
}

/** The same choice in the sheet, where the option of no filter is named `Any`. */
export function SheetSelect({ options, ...field }: ComponentProps<typeof SelectField>) {
  const { t } = usePageContext()
  const named = options.map(option => (option.value === '' ? { value: '', label: t('ui.any') } : option))
  return <SelectField {...field} options={named} />
}

/** Text field inside the sentence, with the placeholder `any`. */
export const PickText = ({ name, label, any, value = '' }: PickProps & { any: string }) => (
  <span className={`picker ${value ? 'set' : 'any'}`}>
    <input
      className="typed"
      name={name}
      aria-label={label}
      defaultValue={value}
      placeholder={any}
      autoComplete="off"
      spellCheck={false}
    />
  </span>
)

interface SentenceProps {
  text: string
  controls: Record<string, ReactNode>
}

/** Sentence whose {placeholders} are controls, in the order of the language. A control and the words before it stay on one line. */
export const Sentence = ({ text, controls }: SentenceProps) =>
  [...text.matchAll(/([^{]*)(?:\{(\w+)\})?/g)]
    .filter(([phrase]) => phrase.trim())
    .map(([phrase, words = '', choice = '']) => (
      <span key={phrase} className="inline-flex flex-wrap items-center gap-x-2 gap-y-1.5">
        {words.trim() && <span>{words.trim()}</span>}
        {controls[choice]}
      </span>
    ))

interface SearchProps {
  /** URL of the page. */
  action: string
  name?: string
  value?: string
  placeholder: string
  /** Takes the full width. */
  wide?: boolean
  /** Hidden inputs with the other parameters of the URL. */
  children?: ReactNode
}

/** Search field of a list; searches 300 ms after the last key. */
export function Search({ action, name = 'keyword', value = '', placeholder, wide, children }: SearchProps) {
  const { t } = usePageContext()
  return (
    <form
      role="search"
      aria-label={placeholder}
      method="get"
      action={action}
      {...viewRequest(action)}
      hx-trigger="submit, input changed delay:300ms"
      className={wide ? 'block mb-2' : 'max-sm:flex-1 sm:w-68'}
    >
      {children}
      <label className="input">
        <Icon of={SearchDrawing} className="ink-3" />
        <span className="sr-only">{t('ui.search')}</span>
        <input
          type="search"
          id={`search-${name}`}
          name={name}
          defaultValue={value}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
        />
      </label>
    </form>
  )
}

/** Carries the values of another form of the page along. */
export const HiddenFields = ({ of }: { of: Record<string, string | undefined> }) =>
  Object.entries(of).map(([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />)
