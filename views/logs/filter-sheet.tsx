/** Filters of the usage log as fields, for phones. */
import type { ReactNode } from 'react'
import { SelectField, TextField } from '../../client/components/field.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { NameField } from '../../client/components/picker.tsx'
import { chosenChannel, groupsOf, type LogFiltersProps, rangesOf, rangeValue, typesOf } from './choices.ts'
import type { LogsView } from './view.ts'

export function FilterSheet({ view, groups, isOperator, channel: named }: LogFiltersProps) {
  const { t } = usePageContext()
  const { type, username, token_name, model_name, group } = view
  const any = t('ui.any')
  return (
    <>
      <SelectField name="type" label={t('log.show')} options={typesOf(t, 'label')} value={type} />
      <RangeField view={view} />
      <NameField
        of="models"
        name="model_name"
        label={t('log.model')}
        placeholder={any}
        value={model_name}
        help={t('log.model_help')}
      />
      <div className="grid grid-cols-2 gap-3">
        {isOperator && (
          <NameField of="users" name="username" label={t('log.user')} placeholder={any} value={username} />
        )}
        <NameField of="tokens" name="token_name" label={t('log.token')} placeholder={any} value={token_name} />
        <SelectField name="group" label={t('log.group')} options={groupsOf(any, groups, group)} value={group} />
        {isOperator && (
          <NameField
            of="channels"
            name="channel"
            label={t('log.channel')}
            placeholder={any}
            value={chosenChannel({ view, channel: named })}
            strict
          />
        )}
      </div>
    </>
  )
}

/** Radio buttons for the range; `custom` opens two fields. */
function RangeField({ view: { range, from, to } }: { view: LogsView }) {
  const { t } = usePageContext()
  return (
    <fieldset className="field group !gap-1 !p-0">
      <legend className="label-text">{t('log.time')}</legend>
      <div className="flex flex-wrap gap-1">
        {rangesOf(t).map(({ value, label }) => (
          <RadioButton key={value} checked={value === rangeValue(range)} value={String(value)}>
            {label}
          </RadioButton>
        ))}
      </div>
      <div className="hidden grid-cols-1 gap-3 mt-3 group-has-[[value=custom]:checked]:grid">
        <TextField type="datetime-local" name="from" label={t('log.from')} value={from} />
        <TextField type="datetime-local" name="to" label={t('log.to')} value={to} />
      </div>
    </fieldset>
  )
}

const RadioButton = ({ value, checked, children }: { value: string; checked: boolean; children: ReactNode }) => (
  <label className="inline-block h-10 px-3 leading-10 rounded-sm border border-[var(--rule-2)] text-help text-[var(--ink-2)] first-letter:uppercase has-checked:bg-[var(--tint-primary)] has-checked:border-[var(--color-primary)] has-checked:text-[var(--ink-primary)] has-focus-visible:outline-2 outline-[var(--color-primary)]">
    <input type="radio" className="sr-only" name="range" value={value} defaultChecked={checked} />
    {children}
  </label>
)
