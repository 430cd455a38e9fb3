/** A setting: the control of its widget, and what stands around it: marks, its default, what another operator stored. */
import { AreaField, SelectField, TextField } from '../../client/components/field.tsx'
import { JsonField } from '../../client/components/json.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { OptionRows } from './islands.tsx'
import { SecretSetting } from './secret.tsx'
import { Switch } from './switch.tsx'
import { type FieldView, fieldId, type SettingsTab, tabAt } from './view.ts'
import { widgets } from './widgets.tsx'

/** Widgets as wide as the section. */
const WIDE = new Set<FieldView['widget']>(['json', 'list', 'lines', 'markdown', 'html', 'css', 'js'])

export const isWide = ({ widget }: FieldView) => WIDE.has(widget)

export function Setting({ field, tab }: { field: FieldView; tab: SettingsTab }) {
  const Widget = field.locked ? Control : (widgets[field.key] ?? Control)
  const classes = ['setting', isWide(field) && 'wide', field.changed && 'changed']
  return (
    <div className={classes.filter(Boolean).join(' ')} data-setting={field.key} data-changed={field.changed}>
      <Widget field={field} />
      {!field.locked && <input type="hidden" name={`read_${field.key}`} defaultValue={field.read} />}
      <Theirs field={field} />
      <Unusable field={field} />
      <Initial field={field} tab={tab} />
    </div>
  )
}

const ROWS = 4
const ROWS_MAX = 12

const code = { spellCheck: false, autoComplete: 'off' } as const

function Control({ field }: { field: FieldView }) {
  const { key, widget, label, help, unit, value, error, locked } = field
  const shared = { name: key, id: fieldId(key), label, help, error, value }
  const rows = Math.min(Math.max(value.split('\n').length, ROWS), ROWS_MAX)
  if (widget === 'flag') return <Switch field={field} />
  if (widget === 'secret') return <SecretSetting field={field} />
  if (widget === 'choice') return <SelectField {...shared} options={field.choices ?? []} disabled={locked} />
  if (field.rows && !locked) return <OptionRows field={field} shape={field.rows} />
  if (widget === 'json' && !locked) return <JsonField {...shared} rows={rows} />
  if (isWide(field))
    return (
      <AreaField {...shared} {...code} rows={widget === 'list' ? 2 : rows} mono={widget !== 'list'} disabled={locked} />
    )
  const inputMode = widget === 'number' ? 'decimal' : widget === 'url' ? 'url' : undefined
  return <TextField {...shared} {...code} unit={unit} inputMode={inputMode} disabled={locked} />
}

/** What another operator has stored since the form was opened. */
function Theirs({ field: { theirs } }: { field: FieldView }) {
  const { t } = usePageContext()
  if (theirs === undefined) return null
  return (
    <div className="theirs">
      <span className="help">{t('settings.theirs')}</span>
      <pre>{theirs || t('settings.empty')}</pre>
    </div>
  )
}

function Unusable({ field: { unusable } }: { field: FieldView }) {
  const { t } = usePageContext()
  if (!unusable) return null
  return (
    <div className="theirs">
      <span className="help">{t('settings.unusable')}</span>
      {unusable.text !== undefined && <pre>{unusable.text}</pre>}
    </div>
  )
}

/** Longer defaults are not written out. */
const SHOWN_MAX = 60

/** The default of an option that has another value. The link fills the field; it is saved like any change. */
function Initial({ field: { key, widget, initial, choices, label }, tab }: { field: FieldView; tab: SettingsTab }) {
  const { t } = usePageContext()
  if (initial === undefined) return null
  const text =
    widget === 'flag'
      ? t(initial === 'true' ? 'settings.on' : 'settings.off')
      : (choices?.find(({ value }) => value === initial)?.label ?? initial)
  const isShown = text.length <= SHOWN_MAX && !text.includes('\n')
  return (
    <p className="help default">
      {isShown ? t('settings.default_is', { value: text }) : t('settings.not_default')}{' '}
      <a
        href={`${tabAt(tab, { default: key })}#${fieldId(key)}`}
        data-default={initial}
        aria-label={t('settings.use_default_of', { name: label })}
      >
        {t('settings.use_default')}
      </a>
    </p>
  )
}
