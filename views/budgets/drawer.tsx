/** Drawers that make a budget or change one, and the question before one is deleted. */
import { CheckField } from '../../client/components/choice.tsx'
import { Confirm, Drawer, Fields } from '../../client/components/drawer.tsx'
import { AreaField, SelectField, TextField } from '../../client/components/field.tsx'
import { OverlayLink } from '../../client/components/link.tsx'
import { type PageContext, usePageContext } from '../../client/components/page-context.tsx'
import { BUDGET_NAME_MAX, BUDGET_UNITS, BUDGET_WINDOWS, type Budget } from '../../src/contracts/budget.ts'
import { nameText } from '../../src/contracts/budget-words.ts'
import { BudgetList } from './list.tsx'
import type { BudgetPlace } from './view.ts'
import { lengthUnits } from './words.ts'

interface FormProps {
  place: BudgetPlace
  /** Values by field name, as typed. */
  form: Record<string, string>
  errors: Record<string, string | undefined>
}

export function NewBudgetDrawer({ place, owner_id, form, errors }: FormProps & { owner_id: number }) {
  const context = usePageContext()
  const { t } = context
  const back = place.at({ edit: owner_id })
  return (
    <Drawer
      title={t('budget.add')}
      close={back}
      action={place.action(`${owner_id}/budgets`)}
      returnTo={back}
      submit={t('budget.add')}
      values={form}
      errors={errors}
    >
      <Fields title={t('budget.budget')}>
        <NameField />
        <div className="grid grid-cols-2 gap-3">
          <AmountField />
          <SelectField
            name="unit"
            label={t('budget.unit')}
            options={BUDGET_UNITS.map(unit => ({ value: unit, label: unitText(unit, context) }))}
          />
        </div>
        <RefusesField />
        {place.owner === 'channel' && (
          <CheckField name="per_key" label={t('budget.per_key')} help={t('budget.per_key_help')} />
        )}
      </Fields>
      <Fields title={t('budget.window')}>
        <WindowFields />
      </Fields>
      <Fields title={t('budget.models')}>
        <AreaField
          name="models"
          label={t('budget.only_models')}
          optional
          rows={2}
          mono
          spellCheck={false}
          help={t('budget.models_help')}
        />
      </Fields>
      <input type="hidden" name="form_id" value={form.form_id ?? ''} />
    </Drawer>
  )
}

export function BudgetDrawer({ place, budget, form, errors }: FormProps & { budget: Budget }) {
  const context = usePageContext()
  const { t } = context
  const back = place.at({ edit: budget.owner_id })
  return (
    <Drawer
      title={t('budget.edit_title', { name: nameText(budget.name, t) })}
      close={back}
      action={place.action(`budgets/${budget.id}`)}
      returnTo={back}
      submit={t('ui.save')}
      footer={
        <OverlayLink className="btn btn-ghost ml-auto" href={place.at({ delete_budget: budget.id })}>
          {t('budget.delete')}
        </OverlayLink>
      }
      values={form}
      errors={errors}
    >
      <Fields title={t('budget.window')}>
        <BudgetList budgets={[budget]} />
      </Fields>
      <Fields title={t('budget.budget')}>
        <NameField />
        <AmountField unit={unitText(budget.unit, context)} help={t('budget.edit_help')} />
        <RefusesField />
      </Fields>
      {/* What the form was filled with: a rounded amount that is unchanged is not saved. */}
      <input type="hidden" name="amount_was" value={form.amount_was ?? ''} />
    </Drawer>
  )
}

export function DeleteBudget({ place, budget }: { place: BudgetPlace; budget: Budget }) {
  const { t } = usePageContext()
  return (
    <Confirm
      title={t('budget.delete_title', { name: nameText(budget.name, t) })}
      text={t('budget.delete_text')}
      close={place.at({ edit: budget.owner_id })}
      action={place.action(`budgets/${budget.id}/delete`)}
      submit={t('budget.delete')}
    />
  )
}

/** Of an amount: `USD`, `quota`, `tokens` or `calls`. */
function unitText(unit: Budget['unit'], { t, currency }: PageContext): string {
  if (unit !== 'quota') return t(`budget.unit_${unit}`)
  return currency.display_in_currency ? 'USD' : t('token.quota_unit')
}

function NameField() {
  const { t } = usePageContext()
  return <TextField name="name" label={t('budget.name')} required maxLength={BUDGET_NAME_MAX} autoComplete="off" />
}

function AmountField({ unit, help }: { unit?: string; help?: string }) {
  const { t } = usePageContext()
  return (
    <TextField
      name="amount"
      label={t('budget.amount')}
      required
      number
      inputMode="decimal"
      autoComplete="off"
      unit={unit}
      help={help}
    />
  )
}

function RefusesField() {
  const { t } = usePageContext()
  return <CheckField name="refuses" label={t('budget.refuses')} help={t('budget.refuses_help')} />
}

const folded = 'hidden group-has-[[aria-invalid]]:grid gap-3'

/** Length, start and zone are shown for the windows that have them, and when one of them has an error. */
function WindowFields() {
  const { t } = usePageContext()
  return (
    <div className="group grid gap-3.5">
      <SelectField
        name="window"
        label={t('budget.renews')}
        options={BUDGET_WINDOWS.map(window => ({ value: window, label: t(`budget.window_${window}`) }))}
      />
      <div
        className={`${folded} grid-cols-2 group-has-[option[value=rolling]:checked]:grid group-has-[option[value=fixed]:checked]:grid`}
      >
        <TextField name="length" label={t('budget.length')} number inputMode="numeric" autoComplete="off" />
        <SelectField
          name="length_unit"
          label={t('budget.length_unit')}
          options={lengthUnits.map(unit => ({ value: unit, label: t(`budget.in_${unit}`) }))}
        />
      </div>
      <div className={`${folded} group-has-[option[value=fixed]:checked]:grid`}>
        <TextField name="anchor" label={t('budget.anchor')} autoComplete="off" help={t('budget.anchor_help')} />
      </div>
      <div
        className={`${folded} group-has-[option[value=day]:checked]:grid group-has-[option[value=week]:checked]:grid group-has-[option[value=month]:checked]:grid`}
      >
        <TextField
          name="zone"
          label={t('budget.zone')}
          autoComplete="off"
          spellCheck={false}
          help={t('budget.zone_help')}
        />
      </div>
    </div>
  )
}
