/** What a channel connects to: its type, and the key and address that this type wants. */
import { useState } from 'react'
import { SelectField, TextField } from '../components/field.tsx'
import { usePageContext } from '../components/page-context.tsx'
import { SecretField } from '../components/secret.tsx'

/** A channel type as the form knows it. */
export interface ProviderChoice {
  type: number
  label: string
  base_url: string
  key_format: string
  /** Whether calls can go there today. */
  available: boolean
}

export interface ProviderProps {
  providers: ProviderChoice[]
  /** What stands in the fields, as text. */
  type: string
  base_url: string
  /** A key that was typed and refused. */
  key_typed: string
  /** The stored keys, masked; empty for a new channel. */
  masked: string
  errors: Record<string, string | undefined>
}

const CUSTOM_TYPE = 8

export default function Provider({ providers, type, base_url, key_typed, masked, errors }: ProviderProps) {
  const { t } = usePageContext()
  const [chosen, choose] = useState(type)
  const [address, setAddress] = useState(base_url)
  const provider = providers.find(one => String(one.type) === chosen)
  const endsInVersion = provider?.type !== CUSTOM_TYPE && /\/v1\/*$/.test(address)
  return (
    <div className="grid gap-3.5">
      <SelectField
        name="type"
        label={t('provider.type')}
        value={type}
        error={errors.type}
        options={providers.map(one => ({
          value: one.type,
          label: one.available ? one.label : t('provider.type_later', { label: one.label }),
          disabled: !one.available && String(one.type) !== type,
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
        help={provider?.type === CUSTOM_TYPE ? t('provider.base_url_whole') : t('provider.base_url_help')}
      />
      {endsInVersion && (
        <p className="note warning m-0" role="status">
          {t('provider.base_url_v1')}
        </p>
      )}
    </div>
  )
}
