/** Limits of a channel: of all its calls, of each key, of models. */
import { AreaField, TextField } from '../../client/components/field.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { measures } from '../../src/contracts/channel-limits.ts'

const scopes = [
  { title: 'drawer.limits_channel', prefix: '' },
  { title: 'drawer.limits_key', prefix: 'key_' },
] as const

export function LimitFields() {
  const { t } = usePageContext()
  return (
    <>
      <p className="help m-0">{t('drawer.limits_help')}</p>
      {scopes.map(({ title, prefix }) => (
        <fieldset key={title} className="grid gap-1.5">
          <legend className="text-sm">{t(title)}</legend>
          <div className="grid sm:grid-cols-3 gap-3">
            {measures.map(measure => (
              <TextField
                key={measure}
                name={`setting_${prefix}${measure}`}
                label={t(`drawer.${measure}`)}
                inputMode="numeric"
                number
                autoComplete="off"
              />
            ))}
          </div>
        </fieldset>
      ))}
      <AreaField
        name="setting_model_limits"
        label={t('drawer.model_limits')}
        help={t('drawer.model_limits_help')}
        rows={2}
        mono
        spellCheck={false}
      />
    </>
  )
}
