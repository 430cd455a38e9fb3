/** The limit of a key or user as text in the field of its form, and back. */
import { z } from 'zod'
import { fromQuota, toQuota } from '../billing/quota.ts'
import { type Budget, BudgetAmount, isLimit, LIMIT_WINDOWS, type LimitChange } from '../contracts/budget.ts'
import { numberOf } from '../contracts/fields.ts'
import { parse } from '../contracts/parse.ts'
import type { Visit } from '../contracts/visit.ts'
import { translator } from '../locales/index.ts'
import { text } from '../web/forms.ts'

const LimitForm = z.object({
  limit_amount: text,
  limit_window: text,
  /** Id, amount and window that the form was filled with. */
  limit_was: text,
})
export type LimitForm = z.output<typeof LimitForm>

export const limitSent = (body: unknown): LimitForm => LimitForm.parse(body)

/** @param budgets of the key or user; without one that the field can show, it is empty */
export function limitFormOf(budgets: readonly Budget[], { status }: Visit): LimitForm {
  const budget = budgets.find(isLimit)
  const limit_amount = budget ? fromQuota(budget.amount, status) : ''
  const limit_window = budget?.window ?? 'month'
  return { limit_amount, limit_window, limit_was: [budget?.id ?? '', limit_amount, limit_window].join(' ') }
}

const Limit = z.object({
  limit_amount: BudgetAmount,
  limit_window: z.enum(LIMIT_WINDOWS),
})

/** @returns undefined when it is unchanged. @throws Refusal 400 at a field */
export function limitIn({ limit_amount, limit_window, limit_was }: LimitForm, visit: Visit): LimitChange | undefined {
  const [id = '', amount_was, window_was] = limit_was.split(' ')
  const typed = limit_amount.trim()
  if (typed === (amount_was ?? '') && (!typed || limit_window === window_was)) return undefined
  const { limit_window: window, ...limit } = parse(Limit.partial({ limit_amount: true }), {
    limit_amount: typed ? toQuota(numberOf(typed), visit.status) : undefined,
    limit_window,
  })
  return {
    id: Number(id) || undefined,
    amount: limit.limit_amount,
    window,
    zone: visit.zone,
    name: translator(visit.language)(`budget.limit_per_${window}`),
  }
}
