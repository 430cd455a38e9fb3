/** Checklist of models: search, all at once, or by the beginning of their names. A tick is a model of the channel at once. */

import { useState } from 'react'
import { usePageContext } from '../components/page-context.tsx'
import { SearchField } from './search-field.tsx'

interface ModelPickerProps {
  models: string[]
  /** The provider has listed them: a chosen model that is not among them is gone. */
  isFetched: boolean
  chosen: string[]
  change: (models: string[]) => void
  /** Names without a price. */
  priceless: Set<string>
  onClose: () => void
}

export function ModelPicker({ models, isFetched, chosen, change, priceless, onClose }: ModelPickerProps) {
  const { t } = usePageContext()
  const [before] = useState(() => new Set(chosen))
  const [typed, setTyped] = useState('')
  const listed = new Set(models)
  const gone = isFetched ? [...before].filter(name => !listed.has(name)) : []
  const ticked = new Set(chosen)
  const shown = [...models, ...gone].filter(name => name.toLowerCase().includes(typed.trim().toLowerCase()))
  const stateOf = (name: string) => (!listed.has(name) ? 'gone' : before.has(name) ? 'kept' : 'new')
  const tick = (names: string[]) => change([...chosen, ...names])
  const untick = (names: string[]) => change(chosen.filter(name => !names.includes(name)))
  return (
    <section className="model-picker" aria-label={t('provider.models_offered')} ref={intoView}>
      <header>
        <SearchField ref={focus} label={t('provider.models_search')} value={typed} change={setTyped} />
        <button type="button" className="btn btn-sm" onClick={() => tick(shown)}>
          {t('provider.models_all', { count: shown.length })}
        </button>
        <button type="button" className="btn btn-ghost btn-sm" onClick={() => untick(shown)}>
          {t('provider.models_none')}
        </button>
      </header>
      <Prefixes {...{ models, ticked, tick, untick }} />
      {shown.length === 0 && <p className="help">{t('provider.models_none_found')}</p>}
      <ul>
        {shown.map(name => (
          <li key={name}>
            <label>
              <input
                type="checkbox"
                className="checkbox"
                checked={ticked.has(name)}
                onChange={() => (ticked.has(name) ? untick([name]) : tick([name]))}
              />
              <span className="mono">{name}</span>
              {isFetched && (
                <span className={`model-mark ${stateOf(name)}`}>{t(`provider.model_${stateOf(name)}`)}</span>
              )}
              {priceless.has(name) && <span className="model-mark warning">{t('provider.no_price')}</span>}
            </label>
          </li>
        ))}
      </ul>
      <footer>
        <span className="help" role="status">
          {summary()}
        </span>
        <button type="button" className="btn btn-sm" onClick={onClose}>
          {t('provider.models_done')}
        </button>
      </footer>
    </section>
  )

  function summary() {
    const count = (state: string) => [...models, ...gone].filter(name => stateOf(name) === state).length
    if (!isFetched) return t('provider.models_known', { count: models.length })
    return t('provider.models_counts', { fresh: count('new'), kept: count('kept'), gone: count('gone') })
  }
}

/** It opens below the button that asked for it, often beyond the end of the drawer. */
const intoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })
const focus = (input: HTMLInputElement | null) => input?.focus({ preventScroll: true })

const PREFIXES_MAX = 10

/** Beginnings that several names share, such as `gpt-`: the most frequent first. */
function prefixesOf(models: string[]): [prefix: string, names: string[]][] {
  const groups = Map.groupBy(models, name => /^[^-/.:_]+[-/.:_]/.exec(name)?.[0] ?? '')
  return [...groups]
    .filter(([prefix, names]) => prefix && names.length > 1)
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, PREFIXES_MAX)
}

interface PrefixesProps {
  models: string[]
  ticked: Set<string>
  tick: (names: string[]) => void
  untick: (names: string[]) => void
}

function Prefixes({ models, ticked, tick, untick }: PrefixesProps) {
  const { t } = usePageContext()
  const prefixes = prefixesOf(models)
  if (prefixes.length < 2) return null
  return (
    <div className="presets" role="group" aria-label={t('provider.models_by_prefix')}>
      {prefixes.map(([prefix, names]) => {
        const isOn = names.every(name => ticked.has(name))
        return (
          <button key={prefix} type="button" aria-pressed={isOn} onClick={() => (isOn ? untick(names) : tick(names))}>
            {prefix} <span className="ink-3">{names.length}</span>
          </button>
        )
      })}
    </div>
  )
}
