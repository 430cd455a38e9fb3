/** A budget as text in the fields of its drawer, and back. */
import { z } from 'zod'
import { lengthUnits, secondsIn } from '../../views/budgets/words.ts'
import { type Currency, fromQuota, toQuota } from '../billing/quota.ts'
import { type Budget, BudgetAmount, BudgetEdit, type BudgetUnit, NewBudget } from '../contracts/budget.ts'
import { nameText } from '../contracts/budget-words.ts'
import { numberOf } from '../contracts/fields.ts'
import type { Visit } from '../contracts/visit.ts'
import { translator } from '../locales/index.ts'
import { now } from '../process/clock.ts'
import { commaList } from '../pure/lists.ts'
import { exact, moment, startOfDay } from '../pure/time.ts'
import { text } from '../web/forms.ts'
import { newFormId } from '../web/idempotent-form.ts'

export const BudgetForm = z.object({
  ...{ name: text, amount: text, amount_was: text, unit: text, window: text, refuses: text },
  ...{ length: text, length_unit: text, anchor: text, zone: text, models: text, per_key: text, form_id: text },
})
export type BudgetForm = z.output<typeof BudgetForm>

const typedAmount = (amount: number, unit: BudgetUnit, currency: Currency) =>
  unit === 'quota' ? fromQuota(amount, currency) : String(amount)

export function newForm({ zone }: Visit): BudgetForm {
  return {
    ...{ name: '', amount: '', amount_was: '', unit: 'quota', window: 'month', refuses: 'true' },
    ...{ length: '5', length_unit: 'hours', anchor: exact(startOfDay(now(), zone), zone), zone, models: '' },
    ...{ per_key: '', form_id: newFormId() },
  }
}

export function formOf({ name, amount, unit, refuses }: Budget, visit: Visit): BudgetForm {
  const typed = typedAmount(amount, unit, visit.status)
  const shown = nameText(name, translator(visit.language))
  return { ...newForm(visit), name: shown, unit, amount: typed, amount_was: typed, refuses: refuses ? 'true' : '' }
}

const readAmount = (typed: string, unit: string, { status }: Visit) =>
  unit === 'quota' ? toQuota(numberOf(typed), status) : numberOf(typed)

const LENGTH_SECONDS_MAX = 10 * 366 * 86_400

/** What is wrong with the typed values, at the fields of the form. */
const Typed = z.object({
  name: z.string().trim().min(1, 'budget.name_missing'),
  amount: BudgetAmount,
  length: z
    .int('budget.length_invalid')
    .min(1, 'budget.length_invalid')
    .max(LENGTH_SECONDS_MAX, 'budget.length_invalid'),
  anchor: z.int('budget.anchor_invalid').min(0, 'budget.anchor_invalid'),
})

/** @throws ZodError at the fields of the form */
export function newBudgetIn(form: BudgetForm, visit: Visit, of: Pick<NewBudget, 'owner' | 'owner_id'>): NewBudget {
  const { window, unit, name, models, zone, refuses, per_key } = form
  const hasLength = window === 'rolling' || window === 'fixed'
  const length_unit = lengthUnits.find(one => one === form.length_unit) ?? 'seconds'
  const length = hasLength ? secondsIn(numberOf(form.length), length_unit) : 1
  const anchor = window === 'fixed' ? (moment(form.anchor, visit.zone) ?? Number.NaN) : 0
  const typed = Typed.parse({ name, amount: readAmount(form.amount, unit, visit), length, anchor })
  return NewBudget.parse({
    ...{ ...of, unit, window, models: commaList(models.replaceAll('\n', ',')), zone: zone.trim(), anchor },
    ...{ name: typed.name, amount: typed.amount, seconds: hasLength ? typed.length : 0, refuses: refuses !== '' },
    per_key: per_key !== '',
  })
}

/** @throws ZodError at the fields of the form */
export function editIn(form: BudgetForm, { unit }: Budget, visit: Visit): BudgetEdit {
  const { name } = Typed.pick({ name: true }).parse(form)
  const refuses = form.refuses !== ''
  if (form.amount === form.amount_was) return BudgetEdit.parse({ name, refuses })
  const { amount } = Typed.pick({ amount: true }).parse({ amount: readAmount(form.amount, unit, visit) })
  return BudgetEdit.parse({ name, refuses, amount })
}
