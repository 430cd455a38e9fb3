/** Island: provider, name, key, base URL and the type's own field of a channel. */
import { type ReactNode, useRef, useState } from 'react'
import { endsInVersion } from '../../src/contracts/base-url.ts'
import { difyApps } from '../../src/contracts/channel-json.ts'
import type { ProviderChoice, TypeSetting } from '../../src/contracts/provider-choice.ts'
import { AreaField, SelectField, TextField } from '../components/field.tsx'
import { usePageContext } from '../components/page-context.tsx'
import { CustomEndpoints } from './custom-endpoints.tsx'
import { EndedNote } from './ended-note.tsx'
import { KeyField } from './keys.tsx'
import { ProviderPicker } from './provider-picker.tsx'

export interface ProviderProps {
  providers: ProviderChoice[]
  /** Values of the fields. */
  values: {
    name: string
    type: string
    base_url: string
    other: string
    key: string
    dify_app: string
    workspace: string
    routes: string
    mj_keep_mode: string
    mj_notify: string
  }
  name_max: number
  /** Masked keys; empty for a new channel. */
  masked: string
  isNew: boolean
  errors: Record<string, string | undefined>
}

export default function Provider({ providers, values, name_max, masked, isNew, errors }: ProviderProps) {
  const { t } = usePageContext()
  const [chosen, setChosen] = useState(values.type)
  const name = useRef<HTMLInputElement>(null)
  const of = (type: string) => providers.find(option => String(option.type) === type)
  const provider = of(chosen)

  function choose(type: string) {
    setChosen(type)
    const input = name.current
    const suggested = nameOf(of(type))
    if (input && suggested && (!input.value.trim() || input.value === nameOf(provider))) input.value = suggested
  }

  return (
    <div className="grid gap-3.5">
      <ProviderPicker
        {...{ providers, chosen }}
        stored={isNew ? undefined : values.type}
        error={errors.type}
        onChoose={choose}
      />
      {isNew && provider?.ended && <EndedNote ended={provider.ended} />}
      <TextField
        ref={name}
        name="name"
        label={t('provider.name')}
        value={values.name}
        error={errors.name}
        maxLength={name_max}
        autoComplete="off"
        autoFocus={!isNew}
      />
      <KeyField {...{ provider, masked }} value={values.key} error={errors.key} />
      <OfType provider={provider} setting="routes" value={values.routes}>
        <CustomEndpoints value={values.routes} error={errors.setting_routes} />
      </OfType>
      <div className={provider?.settings?.includes('routes') && !values.base_url ? 'plain-only' : undefined}>
        <BaseUrl provider={provider} value={values.base_url} error={errors.base_url} />
      </div>
      <OtherField provider={provider} value={values.other} error={errors.other} />
      <DifyApp provider={provider} value={values.dify_app} error={errors.setting_dify_app} />
      <Workspace provider={provider} value={values.workspace} error={errors.setting_workspace} />
      <DrawingMode provider={provider} value={values.mj_keep_mode} />
      <DrawingCallbacks provider={provider} value={values.mj_notify} />
    </div>
  )
}

const nameOf = (provider: ProviderChoice | undefined) => provider?.free_name ?? provider?.label

interface TypedFieldProps {
  provider: ProviderChoice | undefined
  value: string
  error?: string
}

/** None where the region gives the host. @returns undefined where any server may stand behind the type */
function exampleAddress(provider: ProviderChoice | undefined): string | undefined {
  if (provider?.verbatim_url) return WHOLE_URL
  return provider?.base_url || provider?.base_url_form || (provider?.host_by_region ? '' : undefined)
}

function BaseUrl({ provider, value, error }: TypedFieldProps) {
  const { t } = usePageContext()
  const [address, setAddress] = useState(value)
  const isOptional = Boolean(provider?.base_url || provider?.host_by_region)
  const flaw = flawIn(address, provider)
  const help = provider?.verbatim_url
    ? t('provider.base_url_whole')
    : isOptional
      ? t('provider.base_url_help')
      : t(provider?.base_url_form ? 'provider.resource_url_help' : 'provider.base_url_needed')
  return (
    <>
      <TextField
        name="base_url"
        label={t(provider?.base_url_form ? 'provider.resource_url' : 'provider.base_url')}
        mono
        value={value}
        error={error}
        placeholder={exampleAddress(provider) ?? t('provider.base_url_example')}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        optional={isOptional}
        onInput={event => setAddress(event.currentTarget.value)}
        help={help}
        presets={provider?.presets?.map(({ kind, base_url }) => ({
          value: base_url,
          label: t(`provider.preset_${kind}`),
        }))}
      />
      {flaw && (
        <p className="note warning m-0" role="status">
          {t(flaw)}
        </p>
      )}
    </>
  )
}

const WHOLE_URL = 'https://api.example.com/v1/chat/completions'

/** A base URL that is probably wrong. */
function flawIn(address: string, provider: ProviderChoice | undefined) {
  if (!provider?.verbatim_url) return endsInVersion(address) ? 'provider.base_url_v1' : undefined
  const isBase = URL.parse(address)?.pathname === '/' || endsInVersion(address)
  return isBase ? 'provider.base_url_no_path' : undefined
}

/** What `other` means depends on the type. A type without a meaning shows it where it is set, and without JavaScript. */
function OtherField({ provider, value, error }: TypedFieldProps) {
  const { t } = usePageContext()
  const field = provider?.other
  const common = { name: 'other', error, mono: true, spellCheck: false, autoComplete: 'off' }
  if (!field) {
    return (
      <div className={value || error ? undefined : 'plain-only'}>
        <TextField {...common} label={t('provider.other')} help={t('provider.other_help')} value={value} optional />
      </div>
    )
  }
  const { meaning, example } = field
  const labels = { label: t(`provider.other_${meaning}`), help: t(`provider.other_${meaning}_help`) }
  // Another meaning starts anew: a version is no region.
  if (meaning === 'region') return <AreaField key={meaning} {...common} {...labels} rows={2} value={value || example} />
  return <TextField key={meaning} {...common} {...labels} value={value} placeholder={example} />
}

/** The kind of a Dify app, which the gateway asks for when none is chosen. */
function DifyApp({ provider, value, error }: TypedFieldProps) {
  const { t } = usePageContext()
  const options = [
    { value: '', label: t('provider.dify_app_asked') },
    ...difyApps.map(app => ({ value: app, label: t(`provider.dify_app_${app}`) })),
  ]
  return (
    <OfType provider={provider} setting="dify_app" value={value}>
      <SelectField
        name="setting_dify_app"
        label={t('provider.dify_app')}
        value={value}
        error={error}
        options={options}
      />
    </OfType>
  )
}

function Workspace({ provider, value, error }: TypedFieldProps) {
  const { t } = usePageContext()
  return (
    <OfType provider={provider} setting="workspace" value={value}>
      <TextField
        name="setting_workspace"
        label={t('provider.workspace')}
        help={t('provider.workspace_help')}
        value={value}
        error={error}
        mono
        spellCheck={false}
        autoComplete="off"
        optional
      />
    </OfType>
  )
}

/** Whether the path of a request keeps the mode that the client chose. */
function DrawingMode(field: TypedFieldProps) {
  const { t } = usePageContext()
  const options = [
    { value: '', label: t('provider.mj_mode_dropped') },
    { value: '1', label: t('provider.mj_mode_kept') },
  ]
  return <Choice {...field} setting="mj_keep_mode" word="mj_mode" options={options} />
}

/** Whether the upstream is given an address to which it pushes states. */
function DrawingCallbacks(field: TypedFieldProps) {
  const { t } = usePageContext()
  const options = [
    { value: '', label: t('provider.mj_notify_site') },
    { value: 'on', label: t('provider.mj_notify_on') },
    { value: 'off', label: t('provider.mj_notify_off') },
  ]
  return <Choice {...field} setting="mj_notify" word="mj_notify" options={options} />
}

interface ChoiceProps extends TypedFieldProps {
  setting: 'mj_keep_mode' | 'mj_notify'
  /** Of its label and help. */
  word: 'mj_mode' | 'mj_notify'
  options: { value: string; label: string }[]
}

function Choice({ provider, value, setting, word, options }: ChoiceProps) {
  const { t } = usePageContext()
  return (
    <OfType provider={provider} setting={setting} value={value}>
      <SelectField
        name={`setting_${setting}`}
        label={t(`provider.${word}`)}
        help={t(`provider.${word}_help`)}
        value={value}
        options={options}
      />
    </OfType>
  )
}

/** A setting of some types, shown by the others where it is set. Without JavaScript it stands in the JSON of settings. */
function OfType({
  provider,
  setting,
  value,
  children,
}: Pick<TypedFieldProps, 'provider' | 'value'> & { setting: TypeSetting; children: ReactNode }) {
  return isOf(provider, setting, value) && children
}

const isOf = (provider: ProviderChoice | undefined, setting: TypeSetting, value: string): boolean =>
  value !== '' || provider?.settings?.includes(setting) === true
