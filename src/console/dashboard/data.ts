/** Rows of the dashboard's API: usage by model and hour. */
import { type AffinityQuery, DATA_RANGE_SECONDS_MAX, type DataQuery, type DataRow } from '../../contracts/dashboard.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { affinityOf, usageOfSite, usageOfUser } from '../../domain/usage/index.ts'
import { now } from '../../process/clock.ts'

const HOUR_SECONDS = 3600

interface Span {
  start: number
  end: number
}

/** Without an end the range ends now, without a start it begins a month before its end. */
export function spanOf({ start_timestamp, end_timestamp: end = now() }: Omit<DataQuery, 'username'>): Span {
  return { start: start_timestamp ?? Math.max(end - DATA_RANGE_SECONDS_MAX, 0), end }
}

/** @throws Refusal `dashboard.range_too_long` */
export function ownSpanOf(query: DataQuery): Span {
  const span = spanOf(query)
  if (span.end - span.start > DATA_RANGE_SECONDS_MAX) throw new Refusal('dashboard.range_too_long')
  return span
}

/** Of the hours that start within the span. */
export const affinityFigures = (query: AffinityQuery) => affinityOf(hoursIn(spanOf(query)))

const hoursIn = ({ start, end }: Span) => ({ from: ceilHour(start), until: floorHour(end) + HOUR_SECONDS })

/** Rows whose hour starts within the span, oldest first. Without a user, of everyone. */
export async function dataRows(span: Span, user?: { id: number; username: string }): Promise<DataRow[]> {
  const range = hoursIn(span)
  const sums = user
    ? await usageOfUser(user.id, ['model'], range, 'hours')
    : (await usageOfSite('model', range, 'hours')).map(({ key, ...sum }) => ({ model: key, ...sum }))
  const served = sums.filter(({ calls }) => calls > 0)
  served.sort((one, other) => one.period - other.period || (one.model < other.model ? -1 : 1))
  return served.map(({ model, period, calls, prompt_tokens, completion_tokens, quota }, index) => ({
    id: user ? index + 1 : 0,
    user_id: user?.id ?? 0,
    username: user?.username ?? '',
    model_name: model,
    created_at: period,
    token_used: prompt_tokens + completion_tokens,
    count: calls,
    quota,
  }))
}

const ceilHour = (at: number) => Math.ceil(at / HOUR_SECONDS) * HOUR_SECONDS
const floorHour = (at: number) => at - (at % HOUR_SECONDS)
