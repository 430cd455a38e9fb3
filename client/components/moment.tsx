/** Times, relative and exact. */
import { languages } from '../../src/locales/languages.ts'
import { clock, day, exact, relative, startOfDay } from '../../src/pure/time.ts'
import { usePageContext } from './page-context.tsx'

const isoTime = (at: number) => new Date(at * 1000).toISOString()

/** Relative time such as `12 s ago`, with the exact time as a tooltip. */
export function Ago({ at }: { at: number }) {
  const { t, now, zone } = usePageContext()
  const { code, count } = relative(at, now)
  return (
    <time dateTime={isoTime(at)} title={exact(at, zone)} data-now={now}>
      {t(code, { count })}
    </time>
  )
}

/** Exact time such as `2026-11-20 14:32:07`; `near` shows the clock, and month and day when not today. */
export function At({ at, show = 'all' }: { at: number; show?: 'all' | 'clock' | 'day' | 'near' }) {
  const { now, zone } = usePageContext()
  const full = exact(at, zone)
  const near = day(at, zone) === day(now, zone) ? clock(at, zone) : full.slice('yyyy-'.length)
  const text = { all: full, clock: clock(at, zone), day: day(at, zone), near }[show]
  return (
    <time dateTime={isoTime(at)} title={full}>
      {text}
    </time>
  )
}

/** `Today`, `Yesterday`, or a day such as `Friday, November 20`; with its year in another year. */
export function Day({ at }: { at: number }) {
  const { t, language, now, zone } = usePageContext()
  const date = day(at, zone)
  const text = () => {
    if (date === day(now, zone)) return t('time.today')
    if (date === day(startOfDay(now, zone) - 1, zone)) return t('time.yesterday')
    const isThisYear = date.slice(0, 4) === day(now, zone).slice(0, 4)
    return new Intl.DateTimeFormat(languages[language].tag, {
      timeZone: zone,
      weekday: 'long',
      month: 'long',
      day: 'numeric',
      year: isThisYear ? undefined : 'numeric',
    }).format(at * 1000)
  }
  return (
    <time dateTime={date} title={date}>
      {text()}
    </time>
  )
}
