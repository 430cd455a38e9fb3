/** Budgets: what a user, an API key or a channel may use in a window of time. */
import { z } from 'zod'
import { isZone, LAST_MOMENT } from '../pure/time.ts'

export const BUDGET_OWNERS = ['user', 'token', 'channel'] as const
export type BudgetOwner = (typeof BUDGET_OWNERS)[number]
export const BUDGET_UNITS = ['quota', 'tokens', 'calls'] as const
export type BudgetUnit = (typeof BUDGET_UNITS)[number]
/** `rolling` opens with the first call after the last window, `fixed` is repeated from its anchor. */
export const BUDGET_WINDOWS = ['rolling', 'fixed', 'day', 'week', 'month', 'all'] as const
export type BudgetWindowKind = (typeof BUDGET_WINDOWS)[number]

export const BUDGETS_PER_OWNER_MAX = 50
export const BUDGET_NAME_MAX = 50
const BUDGET_MODELS_MAX = 200
const MODEL_MAX = 200
/** A hundred years. */
const SECONDS_MAX = 3_155_760_000

/** Percent of the amount at which notices are sent. */
export const NOTICE_PERCENT = [50, 80, 100] as const

/** Headers of a refusal: what the budget that decides is called, has used and is limited to, and when it begins anew. */
export const BUDGET_HEADERS = {
  name: 'x-tollgate-budget-name',
  unit: 'x-tollgate-budget-unit',
  used: 'x-tollgate-budget-used',
  limit: 'x-tollgate-budget-limit',
  reset: 'x-tollgate-budget-reset',
} as const

/** One of 0 would refuse all calls: that is a disabled key, a banned user, or a disabled channel. */
export const BudgetAmount = z
  .int('budget.amount_invalid')
  .min(1, 'budget.amount_invalid')
  .max(Number.MAX_SAFE_INTEGER, 'budget.amount_invalid')
const name = z.string().trim().min(1).max(BUDGET_NAME_MAX)

/** What can be changed: windows go on with what was used in them. */
export const BudgetEdit = z.strictObject({
  name: name.optional(),
  amount: BudgetAmount.optional(),
  refuses: z.boolean().optional(),
})
export type BudgetEdit = z.output<typeof BudgetEdit>

const calendar = ['day', 'week', 'month'] as const
const isCalendar = (window: BudgetWindowKind) => (calendar as readonly string[]).includes(window)

export const NewBudget = z
  .strictObject({
    owner: z.enum(BUDGET_OWNERS),
    owner_id: z.number().int().positive().max(Number.MAX_SAFE_INTEGER),
    name,
    models: z.array(z.string().trim().min(1).max(MODEL_MAX)).max(BUDGET_MODELS_MAX).default([]),
    unit: z.enum(BUDGET_UNITS),
    amount: BudgetAmount,
    window: z.enum(BUDGET_WINDOWS),
    seconds: z.number().int().min(0).max(SECONDS_MAX).default(0),
    anchor: z.number().int().min(0).max(LAST_MOMENT).default(0),
    zone: z.string().default(''),
    refuses: z.boolean().default(true),
    per_key: z.boolean().default(false),
  })
  .refine(({ window, seconds }) => seconds > 0 || !(window === 'rolling' || window === 'fixed'), {
    path: ['seconds'],
    message: 'budget.seconds_missing',
  })
  .refine(({ window, zone }) => !isCalendar(window) || isZone(zone || 'UTC'), {
    path: ['zone'],
    message: 'budget.zone_unknown',
  })
  .refine(({ owner, per_key }) => owner === 'channel' || !per_key, {
    path: ['per_key'],
    message: 'budget.per_key_of_channels',
  })
  .transform(budget => ({
    ...budget,
    models: [...new Set(budget.models)],
    seconds: budget.window === 'rolling' || budget.window === 'fixed' ? budget.seconds : 0,
    anchor: budget.window === 'fixed' ? budget.anchor : 0,
    zone: isCalendar(budget.window) ? budget.zone || 'UTC' : '',
  }))
export type NewBudget = z.output<typeof NewBudget>

/** Windows of the limit that forms of keys and users have as one field. */
export const LIMIT_WINDOWS = ['day', 'week', 'month', 'all'] as const
export type LimitWindow = (typeof LIMIT_WINDOWS)[number]

/** The one budget that such a field is about, as it is to be. */
export interface LimitChange {
  /** Of the budget that the form was filled with. */
  id: number | undefined
  /** Quota; undefined for no limit. */
  amount: number | undefined
  window: LimitWindow
  /** For a budget with another window than before. */
  zone: string
  name: string
}

/** Whether a field can show it: of quota, for all models, refusing, by the calendar or for all time. */
export const isLimit = ({ unit, refuses, models, window }: Pick<Budget, 'unit' | 'refuses' | 'models' | 'window'>) =>
  unit === 'quota' && refuses && !models.length && (LIMIT_WINDOWS as readonly string[]).includes(window)

const whole = z.int()

/** What is used of a budget in its window of now. */
const Use = z.object({
  /** Settled in this window. */
  used: whole,
  /** Held by running calls. */
  reserved: whole,
  /** Unix seconds of this window, the end exclusive; null for all time, and for a rolling window that has not opened. */
  starts_at: whole.nullable(),
  ends_at: whole.nullable(),
})

/** What one key of a channel has used of a budget for each. */
const UseOfKey = Use.extend({ key: z.string() })
export type UseOfKey = z.output<typeof UseOfKey>

/** A budget with its window of now; of one for each key of a channel, that of the enabled key with the most left. */
export const Budget = z.object({
  id: whole,
  owner: z.enum(BUDGET_OWNERS),
  owner_id: whole,
  name: z.string(),
  models: z.array(z.string()),
  unit: z.enum(BUDGET_UNITS),
  amount: whole,
  window: z.enum(BUDGET_WINDOWS),
  seconds: whole,
  anchor: whole,
  zone: z.string(),
  refuses: z.boolean(),
  per_key: z.boolean(),
  created_time: whole,
  ...Use.shape,
  /** Masked keys of the channel, of a budget for each of them. */
  keys: z.array(UseOfKey).optional(),
})
export type Budget = z.output<typeof Budget>

/** Whether it refuses every call now. */
export const isUsedUp = ({ refuses, used, reserved, amount }: Budget) => refuses && used + reserved >= amount
