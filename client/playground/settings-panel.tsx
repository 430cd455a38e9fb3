/** Settings of the calls: group, model or two, temperature, maximum of tokens, system prompt. */
import { useId } from 'react'
import { moneyText } from '../../src/billing/quota.ts'
import type { PlaygroundGroup } from '../../src/contracts/playground.ts'
import type { OfferedModel } from '../../src/contracts/pricing.ts'
import { usePageContext } from '../components/page-context.tsx'
import type { Settings } from './conversation.ts'
import { usePlayground } from './session-context.tsx'
import { SystemPrompt } from './system-prompt.tsx'

interface SettingsPanelProps {
  settings: Settings
  groups: PlaygroundGroup[]
  models: OfferedModel[]
}

export function SettingsPanel({ settings, groups, models }: SettingsPanelProps) {
  const { t } = usePageContext()
  const { session, chosen } = usePlayground()
  const id = useId()
  const names = chosen.map(({ name }) => name)
  const desc = groups.find(({ name }) => name === settings.group)?.desc
  return (
    <>
      <div className="field">
        <label htmlFor={`${id}-group`}>{t('playground.group')}</label>
        <select
          id={`${id}-group`}
          className="select"
          value={settings.group}
          onChange={({ target }) => session.change({ group: target.value })}
        >
          {groups.map(({ name, ratio }) => (
            <option key={name} value={name}>{`${name} ×${ratio}`}</option>
          ))}
        </select>
        {desc && desc !== settings.group && <p className="help">{desc}</p>}
      </div>
      {(names.length ? names : ['']).map((name, place) => (
        <ModelField
          // biome-ignore lint/suspicious/noArrayIndexKey: the first or the second model
          key={place}
          label={t(place ? 'playground.second_model' : 'playground.model')}
          value={name}
          models={models}
          change={model => session.change({ models: names.with(place, model) })}
        />
      ))}
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          className="checkbox checkbox-sm"
          checked={names.length > 1}
          disabled={!models.length}
          onChange={({ target }) =>
            session.change({ models: target.checked ? [names[0]!, otherThan(names[0]!, models)] : names.slice(0, 1) })
          }
        />
        {t('playground.compare')}
      </label>
      <Limits settings={settings} />
      <SystemPrompt value={settings.system} />
    </>
  )
}

const otherThan = (name: string, models: OfferedModel[]) => models.find(model => model.name !== name)?.name ?? name

interface ModelFieldProps {
  label: string
  value: string
  models: OfferedModel[]
  change: (model: string) => void
}

function ModelField({ label, value, models, change }: ModelFieldProps) {
  const { t } = usePageContext()
  const id = useId()
  const model = models.find(({ name }) => name === value)
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className="select"
        value={value}
        disabled={!models.length}
        onChange={({ target }) => change(target.value)}
      >
        {models.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <p className="help">{model ? <Price model={model} /> : t('playground.no_models')}</p>
    </div>
  )
}

function Price({ model: { input, output, per_call } }: { model: OfferedModel }) {
  const { t } = usePageContext()
  if (per_call !== undefined) return t('playground.price_call', { price: moneyText(per_call, 2, 6) })
  if (input === undefined || output === undefined) return t('playground.price_unknown')
  return t('playground.price', { input: moneyText(input, 2, 6), output: moneyText(output, 2, 6) })
}

const TEMPERATURE_STEP = 0.1
const MAX_TOKENS_MAX = 1_000_000

function Limits({ settings: { temperature, max_tokens } }: { settings: Settings }) {
  const { t } = usePageContext()
  const { session } = usePlayground()
  const id = useId()
  return (
    <div className="grid grid-cols-2 gap-4">
      <div className="gauge">
        <label htmlFor={`${id}-temperature`}>{t('playground.temperature')}</label>
        <output htmlFor={`${id}-temperature`}>{temperature || t('playground.not_sent')}</output>
        <input
          id={`${id}-temperature`}
          className="slider"
          type="range"
          min={0}
          max={1}
          step={TEMPERATURE_STEP}
          value={temperature}
          style={{ '--value': `${temperature * 100}%` } as object}
          onChange={({ target }) => session.change({ temperature: Number(target.value) })}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-tokens`}>{t('playground.max_tokens')}</label>
        <span className="input">
          <input
            id={`${id}-tokens`}
            className="number"
            inputMode="numeric"
            value={max_tokens}
            onChange={({ target }) =>
              session.change({ max_tokens: Math.min(Number(target.value.replace(/\D/g, '')), MAX_TOKENS_MAX) })
            }
          />
          {max_tokens === 0 && <span className="suffix">{t('playground.no_limit')}</span>}
        </span>
      </div>
    </div>
  )
}
