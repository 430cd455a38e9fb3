/** Calendar of a month with its check-ins. Days are UTC days. */
import { usePageContext } from '../../client/components/page-context.tsx'
import { balanceText } from '../../src/billing/quota.ts'
import type { CheckInDay } from '../../src/contracts/reward.ts'
import { languages } from '../../src/locales/languages.ts'

const DAYS_OF_WEEK = 7
/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1)
const DAY_MS = 86_400_000

export function Calendar({ today, days }: { today: string; days: CheckInDay[] }) {
  const { t, language } = usePageContext()
  const { tag } = languages[language]
  const title = inUtc(tag, { year: 'numeric', month: 'long' }).format(new Date(`${today}T00:00:00Z`))
  const rewards = new Map(days.map(({ day, quota }) => [day, quota]))
  return (
    <table className="calendar">
      <caption>
        <span className="sr-only">{t('reward.calendar', { month: title })}</span>
        <span aria-hidden="true">{title}</span>
      </caption>
      <thead>
        <tr>
          {weekdays.map(at => (
            <th key={at} scope="col" abbr={inUtc(tag, { weekday: 'long' }).format(at)}>
              {inUtc(tag, { weekday: 'narrow' }).format(at)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(today).map(week => (
          <tr key={week.find(day => day !== '')}>
            {week.map((day, at) => (
              <Day key={weekdays[at]} day={day} isToday={day === today} reward={rewards.get(day)} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Day({ day, isToday, reward }: { day: string; isToday: boolean; reward: number | undefined }) {
  const { t, currency } = usePageContext()
  if (!day) return <td />
  const done = reward !== undefined && t('reward.day_done', { day, reward: balanceText(reward, currency) })
  return (
    <td className={done ? 'done' : undefined} title={done || undefined} aria-current={isToday ? 'date' : undefined}>
      <time dateTime={day}>{Number(day.slice(-2))}</time>
      {done && <span className="sr-only">{done}</span>}
    </td>
  )
}

const inUtc = (tag: string, format: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(tag, { ...format, timeZone: 'UTC' })

const weekdays = Array.from({ length: DAYS_OF_WEEK }, (_, at) => MONDAY + at * DAY_MS)

/** The days of a month in weeks from Monday on; empty texts stand before the first and after the last day. */
function weeksOf(today: string): string[][] {
  const [year, month] = today.split('-').map(Number) as [number, number]
  const before = (new Date(Date.UTC(year, month - 1, 1)).getUTCDay() + DAYS_OF_WEEK - 1) % DAYS_OF_WEEK
  const count = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const weeks = Math.ceil((before + count) / DAYS_OF_WEEK)
  const dayAt = (cell: number) =>
    cell < before || cell >= before + count ? '' : `${today.slice(0, 8)}${String(cell - before + 1).padStart(2, '0')}`
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: DAYS_OF_WEEK }, (_, at) => dayAt(week * DAYS_OF_WEEK + at)),
  )
}
