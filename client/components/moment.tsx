import { clock, day, exact, relative } from '../../src/pure/time.ts'
import { usePageContext } from './page-context.tsx'

const isoTime = (at: number) => new Date(at * 1000).toISOString()

/** 12 s ago, with the exact time on hover. */
export function Ago({ at }: { at: number }) {
  const { t, now, zone } = usePageContext()
  const { code, count } = relative(at, now)
  return (
    <time dateTime={isoTime(at)} title={exact(at, zone)}>
      {t(code, { count })}
    </time>
  )
}

/** 2026-11-20 14:32:07, or only its clock or day, with all of it on hover; `near` is the clock, with month and day before today. */
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
