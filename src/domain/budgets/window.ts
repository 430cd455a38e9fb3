/** Windows of budgets: of the same budget no two have a second in common, and each call is booked in one. */
import type { BudgetRow } from './table.ts'

/** Unix seconds, the end exclusive. */
export interface TimeWindow {
  readonly start: number
  readonly end: number
}

export type WindowOfBudget = Pick<BudgetRow, 'window' | 'seconds' | 'anchor' | 'zone'>

/** The end of a window that never ends. */
export const NEVER_ENDS = Number.MAX_SAFE_INTEGER

const forever: TimeWindow = { start: 0, end: NEVER_ENDS }

/** Whether windows follow from the clock alone; those of others begin with calls. */
export const isOfClock = ({ window }: Pick<WindowOfBudget, 'window'>): boolean => window !== 'rolling'

/** The window that a second belongs to. @param last the latest window of a rolling budget */
export function windowAt(budget: WindowOfBudget, now: number, last?: TimeWindow): TimeWindow {
  switch (budget.window) {
    case 'rolling':
      return last && isWithin(last, budget.seconds, now) ? last : { start: now, end: now + budget.seconds }
    case 'fixed': {
      const start = now - modulo(now - budget.anchor, budget.seconds)
      return { start, end: start + budget.seconds }
    }
    case 'all':
      return forever
    default:
      return calendarWindow(budget.window, budget.zone, now)
  }
}

/**
 * Whether a call now belongs to the window of a rolling budget: one that begins in less than its length is that of a
 * clock which was set back, and a new one would overlap it.
 */
export const isWithin = ({ start, end }: TimeWindow, seconds: number, now: number): boolean =>
  now < end && now > start - seconds

/** Of a negative number too. */
const modulo = (value: number, length: number) => ((value % length) + length) % length

const MS_PER_SECOND = 1000

type Calendar = 'day' | 'week' | 'month'

/** By days of the zone: one begins with the first second that has its date, or a later one where the zone skips it. */
function calendarWindow(unit: Calendar, zone: string, now: number): TimeWindow {
  const date = Temporal.Instant.fromEpochMilliseconds(now * MS_PER_SECOND)
    .toZonedDateTimeISO(zone)
    .toPlainDate()
  let first = firstDay(unit, date)
  // A clock that is set back over midnight returns to a date whose end has been.
  while (startOf(next(unit, first), zone) <= now) first = next(unit, first)
  return { start: startOf(first, zone), end: startOf(next(unit, first), zone) }
}

function firstDay(unit: Calendar, date: Temporal.PlainDate): Temporal.PlainDate {
  if (unit === 'week') return date.subtract({ days: date.dayOfWeek - 1 })
  return unit === 'month' ? date.with({ day: 1 }) : date
}

const steps = { day: { days: 1 }, week: { weeks: 1 }, month: { months: 1 } }
const next = (unit: Calendar, date: Temporal.PlainDate) => date.add(steps[unit])

const startOf = (date: Temporal.PlainDate, zone: string): number =>
  Math.floor(date.toZonedDateTime(zone).epochMilliseconds / MS_PER_SECOND)
