/** Converts the ranges of lists to unix seconds. */
import type { LogsRange } from '../contracts/log.ts'
import { day, dayStart, moment, startOfDay, type Zone } from '../pure/time.ts'

interface RangeFields {
  /** Undefined for any time. */
  range?: LogsRange
  from?: string
  to?: string
}

interface Span {
  start_timestamp?: number
  end_timestamp?: number
}

const HOUR_SECONDS = 3600
const DAY_SECONDS = 86_400

/**
 * Both ends are inclusive; a last minute includes its 59 seconds. Moments are in the reader's zone, and an invalid one
 * leaves its end open.
 */
export function spanOf({ range, from = '', to = '' }: RangeFields, now: number, zone: Zone): Span {
  const midnight = startOfDay(now, zone)
  const ahead = now + HOUR_SECONDS
  const days = (count: number) => startOfDay(midnight - (count - 1) * DAY_SECONDS + DAY_SECONDS / 2, zone)
  switch (range) {
    case 'today':
      return { start_timestamp: midnight, end_timestamp: ahead }
    case 'yesterday':
      return { start_timestamp: days(2), end_timestamp: midnight - 1 }
    case '3d':
      return { start_timestamp: days(3), end_timestamp: ahead }
    case '30d':
      return { start_timestamp: days(30), end_timestamp: ahead }
    case 'month':
      return {
        start_timestamp: dayStart(`${day(now, zone).slice(0, 'yyyy-mm'.length)}-01`, zone),
        end_timestamp: ahead,
      }
    case undefined:
      return {}
    case 'custom':
      return { start_timestamp: moment(from, zone), end_timestamp: moment(`${to}:59`, zone) ?? moment(to, zone) }
  }
}
