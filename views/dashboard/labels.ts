/** Names of rows, and of periods from their local times: a page has hundreds, and each look at a zone takes microseconds. */
import type { UsageBy } from '../../src/contracts/dashboard.ts'
import { PLAYGROUND_PREFIX } from '../../src/contracts/relay.ts'
import type { Translate } from '../../src/locales/index.ts'
import { dateOf, dayOf, GRAINS, type Grain } from '../../src/pure/periods.ts'
import type { DashboardView, ExplorerRows, Period } from './view.ts'

export const isGrain = (rows: ExplorerRows): rows is Grain => GRAINS.some(grain => grain === rows)

/** Name of a key of usage: of a channel with its number, and with that alone where a key or user has been deleted. */
export function labelOf(by: UsageBy, { key, name }: { key: string; name: string }, t: Translate): string {
  if (by === 'channel') return `#${key} ${name}`.trim()
  if (by === 'token' && key.startsWith(PLAYGROUND_PREFIX))
    return t('dashboard.playground', { group: key.slice(PLAYGROUND_PREFIX.length) })
  return name || `#${key}`
}

/** `2026-11-20 14:00` in parts. */
const dateIn = (local: string) => local.slice(0, 'yyyy-mm-dd'.length)
const monthDay = (local: string) => local.slice('yyyy-'.length, 'yyyy-mm-dd'.length)
export const timeIn = (local: string) => local.slice('yyyy-mm-dd '.length, 'yyyy-mm-dd hh:mm'.length)

/** Whole: 2026-11-20 14:00–15:00 · 2026-11-20 · 2026-11-16 – 2026-11-22. */
export function nameOf({ from, until }: Pick<Period, 'from' | 'until'>, grain: Grain): string {
  const first = dateIn(from)
  if (grain === 'hour') return `${first} ${timeIn(from)}–${timeIn(until)}`
  const last = dateOf(dayOf(dateIn(until))! - 1)
  return first === last ? first : `${first} – ${last}`
}

/** In few letters: 14:00–15:00 in a range of one day, else with the date. */
export function shortName(period: Period, grain: Grain, isOneDay: boolean): string {
  const name = nameOf(period, grain)
  return grain === 'hour' ? name.slice(isOneDay ? 'yyyy-mm-dd '.length : 'yyyy-'.length) : name
}

/** Start of a period in few letters: 14:00, or with the date in a range of more than a day; 11-20. */
export const startName = ({ from }: Period, grain: Grain, isOneDay: boolean): string =>
  grain === 'hour' ? from.slice((isOneDay ? 'yyyy-mm-dd ' : 'yyyy-').length) : monthDay(from)

/** Whether every period lies in one day. */
export const isOneDay = ({ by }: DashboardView, periods: readonly Period[]) =>
  by === 'hour' && dateIn(periods[0]!.from) === dateIn(periods.at(-1)!.from)

/** Label below an axis, at the period with this index. */
interface Tick {
  index: number
  label: string
}

/** Two days: longer ranges have dates in the place of times. */
const CLOCK_HOURS_MAX = 50
const HOUR_STEPS = [1, 3, 6, 12, 24]
const HOUR_LABEL_PX = 72
const DATE_LABEL_PX = 64

/** Labels below an axis, as many as fit. @param step_px width of a period */
export function ticksOf(periods: readonly Period[], grain: Grain, step_px: number): Tick[] {
  if (grain === 'hour' && periods.length <= CLOCK_HOURS_MAX) {
    const step = HOUR_STEPS.find(hours => hours * step_px >= HOUR_LABEL_PX) ?? 24
    return periods.flatMap(({ from }, index) => {
      const label = timeIn(from)
      return Number(label.slice(0, 2)) % step === 0 ? [{ index, label }] : []
    })
  }
  const firsts = periods.flatMap(({ from }, index) =>
    index > 0 && dateIn(from) === dateIn(periods[index - 1]!.from) ? [] : [{ index, label: monthDay(from) }],
  )
  const gap_px = firsts.length > 1 ? (firsts[1]!.index - firsts[0]!.index) * step_px : step_px
  const every = Math.max(Math.ceil(DATE_LABEL_PX / gap_px), 1)
  return firsts.filter((_, at) => at % every === 0)
}
