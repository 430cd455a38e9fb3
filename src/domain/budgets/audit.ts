/** The audit of budgets: what was used of each window is what its hours have, and they agree with the hourly usage. */
import { and, asc, eq, gt, gte, inArray, sql } from 'drizzle-orm'
import { db } from '../../db/database.ts'
import { total } from '../../db/fragments.ts'
import { usageHours } from '../usage/table.ts'
import { OUTSIDE } from './book.ts'
import { type BudgetRow, budgetHours, budgets, budgetWindows } from './table.ts'

const CHUNK = 500
const HOUR_SECONDS = 3600
/** Until then another node may not have known a new budget. */
const KNOWN_AFTER_SECONDS = 60

interface BudgetAudit {
  budgets: number
  /** The first wrong figure, as an English sentence. */
  difference?: string
}

/** Checks all rows and stops at the first difference. Reads only. */
export async function auditBudgets(): Promise<BudgetAudit> {
  const audit: BudgetAudit = { budgets: 0 }
  for (let last = 0; ; ) {
    const rows = await db.select().from(budgets).where(gt(budgets.id, last)).orderBy(asc(budgets.id)).limit(CHUNK)
    if (!rows.length) return audit
    last = rows.at(-1)!.id
    audit.budgets += rows.length
    audit.difference = await windowsOf(rows)
    for (const row of rows) audit.difference ??= await hoursOf(row)
    if (audit.difference) return audit
  }
}

async function windowsOf(rows: readonly BudgetRow[]): Promise<string | undefined> {
  const ids = rows.map(({ id }) => id)
  const hours = db
    .select({
      budget_id: budgetHours.budget_id,
      start: budgetHours.start,
      booked: total(budgetHours.used).as('booked'),
    })
    .from(budgetHours)
    .where(inArray(budgetHours.budget_id, ids))
    .groupBy(budgetHours.budget_id, budgetHours.start)
    .as('hours')
  const [wrong] = await db
    .select({ id: budgetWindows.budget_id, start: budgetWindows.start, used: budgetWindows.used, booked: hours.booked })
    .from(budgetWindows)
    .leftJoin(hours, and(eq(hours.budget_id, budgetWindows.budget_id), eq(hours.start, budgetWindows.start)))
    .where(and(inArray(budgetWindows.budget_id, ids), sql`${budgetWindows.used} <> coalesce(${hours.booked}, 0)`))
    .limit(1)
  if (wrong)
    return `budget ${wrong.id}: used is ${wrong.used} in the window from ${wrong.start}, but its hours make it ${wrong.booked ?? 0}`
  return overlapIn(ids)
}

async function overlapIn(ids: number[]): Promise<string | undefined> {
  const { budget_id, start, end } = budgetWindows
  const before = db
    .select({
      budget_id,
      start,
      before: sql<number | null>`lag(${end}) over (partition by ${budget_id} order by ${start})`.as('before'),
    })
    .from(budgetWindows)
    .where(inArray(budget_id, ids))
    .as('windows')
  const [wrong] = await db.select().from(before).where(gt(before.before, before.start)).limit(1)
  if (wrong) return `budget ${wrong.budget_id}: the window from ${wrong.start} begins before the one before has ended`
}

/** In the hour in which a budget was made, calls that had ended before it are none of it. Deleted hours are left out. */
async function hoursOf(budget: BudgetRow): Promise<string | undefined> {
  // Usage knows no keys of channels: what one of them has used is at most that of the channel.
  const isExact = !budget.per_key && !budget.key_hash
  const known = isExact ? budget.created_time + KNOWN_AFTER_SECONDS : Number.MAX_SAFE_INTEGER
  const first = Math.max(budget.created_time - (budget.created_time % HOUR_SECONDS), budget.pruned_until)
  const column = { user: usageHours.user_id, token: usageHours.token_id, channel: usageHours.channel_id }[budget.owner]
  const ofModels = budget.models.length ? inArray(usageHours.model, budget.models) : undefined
  const usage = db
    .select({ hour: usageHours.hour, counted: total(amountOf(budget)).as('counted') })
    .from(usageHours)
    .where(and(eq(column, budget.owner_id), ofModels, gte(usageHours.hour, first)))
    .groupBy(usageHours.hour)
    .as('usage_of_owner')
  const booked = db
    .select({ hour: budgetHours.hour, booked: total(budgetHours.used).as('booked') })
    .from(budgetHours)
    .where(and(eq(budgetHours.budget_id, budget.id), gte(budgetHours.start, OUTSIDE), gte(budgetHours.hour, first)))
    .groupBy(budgetHours.hour)
    .as('booked_hours')
  const counted = sql<number>`coalesce(${usage.counted}, 0)`.mapWith(Number)
  const rows = await db
    .select({ hour: booked.hour, booked: booked.booked, counted })
    .from(booked)
    .leftJoin(usage, eq(usage.hour, booked.hour))
    .where(
      sql`${booked.booked} > ${counted} or (${booked.hour} > ${known - (known % HOUR_SECONDS)} and ${booked.booked} <> ${counted})`,
    )
    .limit(1)
  const [wrong] = rows
  if (wrong) return sentence(budget, wrong)
  const [missing] = await db
    .select({ hour: usage.hour, booked: sql<number>`0`.mapWith(Number), counted })
    .from(usage)
    .leftJoin(booked, eq(usage.hour, booked.hour))
    .where(
      sql`${booked.booked} is null and ${usage.hour} > ${known - (known % HOUR_SECONDS)} and ${usage.counted} <> 0`,
    )
    .limit(1)
  return missing && sentence(budget, missing)
}

const sentence = ({ id, name, unit }: BudgetRow, found: { hour: number; booked: number; counted: number }) =>
  `budget ${id} (${name}): ${found.booked} ${unit} are booked in the hour ${found.hour}, but the usage of its owner makes it ${found.counted}`

function amountOf({ unit }: BudgetRow) {
  if (unit === 'quota') return usageHours.quota
  return unit === 'calls' ? usageHours.calls : sql`${usageHours.prompt_tokens} + ${usageHours.completion_tokens}`
}
