/** The days and the granularity that the address of a dashboard asks for. */
import { CUSTOM_DAYS_MAX, type DashboardRange } from '../../contracts/dashboard.ts'
import { type DayNumber, dayNumber, dayOf, GRAINS, type Grain } from '../../pure/periods.ts'
import type { Zone } from '../../pure/time.ts'

/** Days in the reader's zone, both included. */
export interface Days {
  first: DayNumber
  last: DayNumber
}

interface RangeFields {
  range: DashboardRange
  from?: string
  to?: string
}

const CUSTOM_DAYS_DEFAULT = 7

/** A custom range ends today at the latest; an invalid date is replaced by a week's distance from the other end. */
export function daysOf({ range, from, to }: RangeFields, now: number, zone: Zone): Days {
  const today = dayNumber(now, zone)
  const daysUntilToday = (count: number) => ({ first: today - count + 1, last: today })
  switch (range) {
    case 'today':
      return daysUntilToday(1)
    case 'yesterday':
      return { first: today - 1, last: today - 1 }
    case '7d':
      return daysUntilToday(7)
    case '30d':
      return daysUntilToday(30)
    case '90d':
      return daysUntilToday(90)
    case 'custom': {
      const end = Math.min(dayOf(to) ?? today, today)
      const start = Math.min(dayOf(from) ?? end - CUSTOM_DAYS_DEFAULT + 1, today)
      const [first, last] = [Math.min(start, end), Math.max(start, end)]
      return { first: Math.max(first, last - CUSTOM_DAYS_MAX + 1), last }
    }
  }
}

export const lengthOf = ({ first, last }: Days) => last - first + 1

/** Lengths of a range in days for which a granularity draws some bars, and not too many. */
const fits: Record<Grain, (days: number) => boolean> = {
  hour: days => days <= 3,
  day: days => days > 1 && days <= 92,
  week: days => days > 14,
}

/** Granularities for a range of this many days, the usual one first. */
export function grainsFor(days: number): Grain[] {
  const usual: Grain = days <= 2 ? 'hour' : days <= 92 ? 'day' : 'week'
  return [usual, ...GRAINS.filter(grain => grain !== usual && fits[grain](days))]
}

/** The range that shows a granularity when the address names none. */
export const usualRange: Record<Grain, DashboardRange> = { hour: 'today', day: '7d', week: '30d' }
