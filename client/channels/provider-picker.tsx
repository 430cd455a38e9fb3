/** Choice of a provider: common ones as tiles, the others by name, all of them found by search. Without JavaScript a select. */
import ChevronRight from 'lucide/dist/esm/icons/chevron-right.mjs'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { ProviderChoice } from '../../src/contracts/provider-choice.ts'
import { isNamed, nameIn } from '../../src/locales/makers.ts'
import { Field } from '../components/field.tsx'
import { Icon } from '../components/icon.tsx'
import { usePageContext } from '../components/page-context.tsx'
import { monogramOf } from './monogram.ts'
import { SearchField } from './search-field.tsx'

interface ProviderPickerProps {
  providers: ProviderChoice[]
  /** Type of the chosen provider, as text. */
  chosen: string
  /** Type of the stored channel; its choice is folded. */
  stored?: string
  error?: string
  onChoose: (type: string) => void
}

export function ProviderPicker({ providers, chosen, stored, error, onChoose }: ProviderPickerProps) {
  const { t, language } = usePageContext()
  const provider = providers.find(({ type }) => String(type) === chosen)
  const tiles = <Tiles {...{ providers, chosen, onChoose }} isNew={stored === undefined} />
  return (
    <div className="provider-picker">
      <Field name="type" label={t('provider.type')} error={error}>
        {({ value: _, ...attributes }) => (
          <select {...attributes} className="select" value={chosen} onChange={({ target }) => onChoose(target.value)}>
            {providers.map(({ type, label, available }) => (
              <option key={type} value={type} disabled={!available && String(type) !== stored}>
                {available ? nameIn(language, label) : t('provider.type_later', { label: nameIn(language, label) })}
              </option>
            ))}
          </select>
        )}
      </Field>
      {stored === undefined ? (
        tiles
      ) : (
        <details className="script-only provider-chosen">
          <summary className="secret">
            <Monogram label={provider?.label ?? ''} />
            <span className="grow">{provider && nameIn(language, provider.label)}</span>
            <span className="btn btn-ghost btn-sm">{t('provider.change')}</span>
          </summary>
          {tiles}
        </details>
      )}
    </div>
  )
}

function Tiles({ providers, chosen, onChoose, isNew }: Omit<ProviderPickerProps, 'stored'> & { isNew: boolean }) {
  const { t } = usePageContext()
  const name = useId()
  const [typed, setTyped] = useState('')
  const found = typed.trim()
  const matches = found ? providers.filter(({ label }) => isNamed(label, found)) : undefined
  const isTile = ({ type, common }: ProviderChoice) => common || String(type) === chosen
  const others = providers.filter(choice => choice.available && !isTile(choice))
  const later = providers.filter(choice => !choice.available && !isTile(choice))
  const list = (choices: ProviderChoice[]) => <Choices {...{ choices, chosen, onChoose, name, isNew }} />
  return (
    <div className="script-only grid gap-2.5" role="radiogroup" aria-label={t('provider.type')}>
      <SearchField label={t('provider.find')} value={typed} change={setTyped} />
      {matches ? (
        <>
          {list(matches)}
          {matches.length === 0 && <p className="help m-0">{t('provider.none_found')}</p>}
        </>
      ) : (
        <>
          {list(providers.filter(isTile))}
          <Folded title={t('provider.more', { count: others.length })}>{list(others)}</Folded>
          {later.length > 0 && <Folded title={t('provider.later', { count: later.length })}>{list(later)}</Folded>}
        </>
      )}
    </div>
  )
}

/** Draws its content when it is opened: the page stays small. */
function Folded({ title, children }: { title: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const details = useRef<HTMLDetailsElement>(null)
  const follow = () => setOpen(details.current?.open ?? false)
  // It may have been opened before there was a script.
  useEffect(follow, [])
  return (
    <details className="group" ref={details} onToggle={follow}>
      <summary className="fold">
        <Icon of={ChevronRight} small className="ink-3 group-open:rotate-90" />
        {title}
      </summary>
      {isOpen && children}
    </details>
  )
}

interface ChoicesProps {
  choices: ProviderChoice[]
  chosen: string
  onChoose: (type: string) => void
  /** Name of the radio buttons; the select is what the form sends. */
  name: string
  /** The form begins here: a radio button takes the focus without a keyboard over the page of a phone. */
  isNew: boolean
}

function Choices({ choices, chosen, onChoose, name, isNew }: ChoicesProps) {
  const { language } = usePageContext()
  return (
    <div className="provider-tiles">
      {choices.map(({ type, label, available }) => (
        <label key={type} className="provider-tile">
          <input
            type="radio"
            name={name}
            value={type}
            checked={String(type) === chosen}
            autoFocus={isNew && String(type) === chosen}
            disabled={!available && String(type) !== chosen}
            onChange={() => onChoose(String(type))}
          />
          <Monogram label={label} />
          <span>{nameIn(language, label)}</span>
        </label>
      ))}
    </div>
  )
}

const Monogram = ({ label }: { label: string }) => (
  <span className="monogram" aria-hidden="true">
    {monogramOf(label)}
  </span>
)
