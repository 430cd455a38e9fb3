/** Island: type, key and base URL of a channel. */
import { useState } from 'react'
import { endsInVersion } from '../../src/contracts/base-url.ts'
import { SelectField, TextField } from '../components/field.tsx'
import { usePageContext } from '../components/page-context.tsx'
import { SecretField } from '../components/secret.tsx'

/** Channel type in the form. */
export interface ProviderChoice {
  type: number
  label: string
  base_url: string
  key_format: string
  /** The base URL is the whole URL: the gateway adds no path. */
  verbatim_url: boolean
  /** The gateway can send calls there. */
  available: boolean
}

export interface ProviderProps {
  providers: ProviderChoice[]
  /** Values of the fields. */
  type: string
  base_url: string
  /** Key of a refused form. */
  key_typed: string
  /** Masked keys; empty for a new channel. */
  masked: string
  errors: Record<string, string | undefined>
}

export default function Provider({ providers, type, base_url, key_typed, masked, errors }: ProviderProps) {
  const { t } = usePageContext()
  const [chosen, choose] = useState(type)
  const [address, setAddress] = useState(base_url)
  const provider = providers.find(option => String(option.type) === chosen)
  const warnsOfVersion = !provider?.verbatim_url && endsInVersion(address)
  return (
    <div className="grid gap-3.5">
      <SelectField
        name="type"
        label={t('provider.type')}
        value={type}
        error={errors.type}
        options={providers.map(option => ({
          value: option.type,
          label: option.available ? option.label : t('provider.type_later', { label: option.label }),
          disabled: !option.available && String(option.type) !== type,
        }))}
        onChange={event => choose(event.target.value)}
      />
      <SecretField
        name="key"
        label={t('provider.key')}
        isSet={masked !== ''}
        masked={masked}
        value={key_typed}
        rows={2}
        placeholder={provider?.key_format}
        error={errors.key}
        help={masked ? undefined : t('provider.key_help')}
      />
      <TextField
        name="base_url"
        label={t('provider.base_url')}
        mono
        value={base_url}
        error={errors.base_url}
        placeholder={provider?.base_url || t('provider.base_url_example')}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        optional={Boolean(provider?.base_url)}
        onInput={event => setAddress(event.currentTarget.value)}
        help={provider?.verbatim_url ? t('provider.base_url_whole') : t('provider.base_url_help')}
      />
      {warnsOfVersion && (
        <p className="note warning m-0" role="status">
          {t('provider.base_url_v1')}
        </p>
      )}
    </div>
  )
}
