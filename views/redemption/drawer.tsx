/** Drawer that creates redemption codes or edits one. */
import { AmountField } from '../../client/components/amount-field.tsx'
import { CheckField } from '../../client/components/choice.tsx'
import { Drawer, Fields } from '../../client/components/drawer.tsx'
import { ErrorText, type Preset, TextField } from '../../client/components/field.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { CODE_KEY_MAX, CODE_NAME_MAX, type Redemption } from '../../src/contracts/redemption.ts'
import { exact } from '../../src/pure/time.ts'
import { CodeActions, CodeSwitch } from './code-actions.tsx'
import { type CodesView, codesAction, codesAt } from './view.ts'

interface CodeDrawerProps {
  view: CodesView
  /** The edited code; absent for new ones. */
  code?: Redemption
  /** Form values by field name, as typed. */
  form: Record<string, string>
  errors: Record<string, string | undefined>
}

export function CodeDrawer({ view, code, form, errors }: CodeDrawerProps) {
  const { t } = usePageContext()
  const drawer = (
    <Drawer
      title={code ? t('redemption.edit_title') : t('redemption.create')}
      close={codesAt(view)}
      action={code ? codesAction(view, String(code.id)) : codesAction(view, '')}
      returnTo={codesAt(view)}
      submit={code ? t('ui.save') : t('redemption.create')}
      values={form}
      errors={errors}
    >
      {code && <CodeActions code={code} view={view} overlay="edit" />}
      <Fields title={t('redemption.code')}>
        <TextField
          name="name"
          label={t('redemption.name')}
          help={code ? undefined : t('redemption.name_help')}
          optional={!code}
          required={code !== undefined}
          maxLength={CODE_NAME_MAX}
          autoComplete="off"
          autoFocus={Object.keys(errors).length === 0 || errors.name !== undefined}
        />
        <AmountField name="quota" label={t('redemption.quota')} />
        {!code && <HowMany />}
      </Fields>
      <Fields title={t('redemption.use')}>
        <Gift code={code} error={errors.is_gift} />
      </Fields>
      <Period />
      <input type="hidden" name="quota_was" value={form.quota_was ?? ''} />
      {!code && <input type="hidden" name="form_id" value={form.form_id ?? ''} />}
    </Drawer>
  )
  if (!code) return drawer
  return (
    <>
      {drawer}
      <CodeSwitch code={code} view={view} />
    </>
  )
}

const countPresets: Preset[] = ['1', '10', '20', '50', '100'].map(count => ({ value: count, label: count }))

function HowMany() {
  const { t } = usePageContext()
  return (
    <>
      <TextField
        name="count"
        label={t('redemption.how_many')}
        number
        inputMode="numeric"
        presets={countPresets}
        autoComplete="off"
      />
      <TextField
        name="key"
        label={t('redemption.own_code')}
        help={t('redemption.own_code_help')}
        optional
        mono
        maxLength={CODE_KEY_MAX}
        spellCheck={false}
        autoComplete="off"
      />
    </>
  )
}

/** A code that has been used stays a gift or not. The limit of uses is shown for a gift, or when it has an error. */
function Gift({ code, error }: { code?: Redemption; error?: string }) {
  const { t } = usePageContext()
  const isUsed = code !== undefined && code.used_count > 0
  return (
    <div className="group grid gap-3.5">
      {isUsed ? (
        <input type="hidden" name="is_gift" value={code.is_gift ? 'true' : ''} />
      ) : (
        <CheckField name="is_gift" label={t('redemption.is_gift')} help={t('redemption.is_gift_help')} />
      )}
      {error && <ErrorText>{error}</ErrorText>}
      <div className={isUsed ? undefined : 'hidden group-has-[:checked]:block group-has-[[aria-invalid]]:block'}>
        <TextField
          name="max_uses"
          label={t('redemption.max_uses')}
          help={t('redemption.max_uses_help')}
          optional
          number
          inputMode="numeric"
          autoComplete="off"
        />
      </div>
    </div>
  )
}

const DAY = 86_400
const MONTH = 30 * DAY

function Period() {
  const { t, now, zone } = usePageContext()
  const starts = [
    { value: '', label: t('redemption.at_once') },
    { value: exact(now + DAY, zone), label: t('redemption.in_a_day') },
  ]
  const ends = [
    { value: '', label: t('time.never') },
    { value: exact(now + DAY, zone), label: t('token.one_day') },
    { value: exact(now + 7 * DAY, zone), label: t('redemption.one_week') },
    { value: exact(now + MONTH, zone), label: t('token.one_month') },
  ]
  return (
    <Fields title={t('redemption.valid')}>
      <TextField
        name="valid_from"
        label={t('redemption.valid_from')}
        placeholder={t('redemption.at_once')}
        autoComplete="off"
        presets={starts}
      />
      <TextField
        name="valid_until"
        label={t('redemption.valid_until')}
        placeholder={t('time.never')}
        help={t('redemption.valid_help')}
        autoComplete="off"
        presets={ends}
      />
    </Fields>
  )
}
