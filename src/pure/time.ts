/** Moments and durations for display. Moments are unix seconds; zones are IANA names. */

export type Zone = string
const ZONE_UNKNOWN: Zone = 'UTC'

/** The end of the year 9999, the last that yyyy-MM-dd can express. */
export const LAST_MOMENT = 253_402_300_799

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400

export const MS_PER_SECOND = 1000

/** Unix seconds of a moment in milliseconds. */
export const unixSeconds = (ms: number): number => Math.floor(ms / MS_PER_SECOND)

/** Distance of a moment from now in its largest whole unit: the code has unit and direction, `count` the number. */
export function relative(at: number, now: number) {
  const seconds = Math.abs(now - at)
  const ahead = at > now
  if (seconds < MINUTE) return { code: ahead ? 'time.in_seconds' : 'time.seconds_ago', count: seconds } as const
  if (seconds < HOUR)
    return { code: ahead ? 'time.in_minutes' : 'time.minutes_ago', count: Math.floor(seconds / MINUTE) } as const
  if (seconds < DAY)
    return { code: ahead ? 'time.in_hours' : 'time.hours_ago', count: Math.floor(seconds / HOUR) } as const
  return { code: ahead ? 'time.in_days' : 'time.days_ago', count: Math.floor(seconds / DAY) } as const
}

/** 2026-11-20 14:32:07 */
export function exact(at: number, zone: Zone): string {
  const { year, month, day, hour, minute, second } = parts(at, zone)
  return `${year}-${month}-${day} ${hour}:${minute}:${second}`
}

/** 2026-11-20T14:32:07Z, the form of RFC 3339. */
export const rfc3339 = (at: number): string => new Date(at * 1000).toISOString().replace('.000', '')

/** 2026-11-20 */
export const day = (at: number, zone: Zone): string => exact(at, zone).slice(0, 10)

/** 14:32:07 */
export const clock = (at: number, zone: Zone): string => exact(at, zone).slice(11)

/**
 * Reads `yyyy-MM-dd HH:mm:ss`; seconds may be absent.
 * @returns undefined for other texts, dates that do not exist, and times that the zone skips
 */
export function moment(text: string, zone: Zone): number | undefined {
  const found = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d)(?::(\d\d))?$/.exec(text.trim())
  if (!found) return
  const [year, month, date, hour, minute, second] = found.slice(1).map(part => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const asUtc = Date.UTC(year, month - 1, date, hour, minute, second) / 1000
  // The offset depends on the moment: a second pass corrects the first one near a change of the offset.
  let at = asUtc
  for (let pass = 0; pass < 2; pass++) at = asUtc - offset(at, zone)
  const typed = `${found[1]}-${found[2]}-${found[3]} ${found[4]}:${found[5]}:${found[6] ?? '00'}`
  return exact(at, zone) === typed ? at : undefined
}

/** The midnight before a moment, or that moment itself at midnight. */
export const startOfDay = (at: number, zone: Zone): number =>
  moment(`${day(at, zone)} 00:00:00`, zone) ?? at - (at % DAY)

/** The first second of a day, such as `2026-11-20`. @returns undefined for other texts */
export const dayStart = (text: string | undefined, zone: Zone) => moment(`${text} 00:00`, zone)

/** The last second of a day. @returns undefined for other texts */
export const dayEnd = (text: string | undefined, zone: Zone) => moment(`${text} 23:59:59`, zone)

/** Seconds in about three digits: 0.61 · 4.20 · 11.8 · 112. @param precise decimals below 10 seconds */
export function seconds(value: number, precise = 2): string {
  if (value < 9.995) return value.toFixed(precise)
  return value.toFixed(value < 99.95 ? 1 : 0)
}

/** Seconds that a zone is ahead of UTC at a moment. */
export function offset(at: number, zone: Zone): number {
  const { year, month, day, hour, minute, second } = parts(at, zone)
  return (
    Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)) / 1000 - at
  )
}

type Part = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'

/** A page shows the same moment several times, and reading one takes 10 µs. */
const MOMENTS_MAX = 1000
const momentMemo = new Map<string, Record<Part, string>>()

function parts(at: number, zone: Zone): Record<Part, string> {
  const key = `${at} ${zone}`
  let read = momentMemo.get(key)
  if (!read) {
    const pairs = formatter(zone).formatToParts(at * 1000)
    read = Object.fromEntries(pairs.map(({ type, value }) => [type, value])) as Record<Part, string>
    if (momentMemo.size >= MOMENTS_MAX) momentMemo.clear()
    momentMemo.set(key, read)
  }
  return read
}

const formatterMemo = new Map<Zone, Intl.DateTimeFormat>()

function formatter(zone: Zone): Intl.DateTimeFormat {
  let format = formatterMemo.get(zone)
  if (!format) {
    const two = '2-digit'
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: two,
      day: two,
      hour: two,
      minute: two,
      second: two,
    })
    formatterMemo.set(zone, format)
  }
  return format
}

/** The zone, or UTC for a name that this machine does not know. */
export const knownZone = (text: string | undefined): Zone => (text && isZone(text) ? text : ZONE_UNKNOWN)

/** Whether this machine knows a zone of that name. */
export function isZone(text: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en-US', { timeZone: text }))
  } catch {
    return false
  }
}

/** A moment as a `datetime-local` field holds it. */
export const typed = (at: number, zone: Zone) => exact(at, zone).slice(0, 'yyyy-mm-dd hh:mm'.length).replace(' ', 'T')
