/** A channel's history: its last days by hour or day, by model, by kind of failure and by cause. */
import type { ChannelHistory, HistoryFigures, HistoryView } from '../../../views/channels/history-view.ts'
import {
  CHANNEL_EVENTS,
  FAILURE_KINDS,
  failedIn,
  HISTORY_DAYS,
  HISTORY_EVENTS_SHOWN,
  HISTORY_MODELS_SHOWN,
  type HistoryCounts,
} from '../../contracts/channel-history.ts'
import { firstTokenCalls, percentileOf } from '../../contracts/first-token.ts'
import { channelView } from '../../domain/channels/index.ts'
import { eventsSince, historyByHour, historyByModel, historyStart, historySum } from '../../domain/routing/index.ts'
import { isMessageKey, textOf } from '../../locales/index.ts'
import type { Language } from '../../locales/languages.ts'
import { now } from '../../process/clock.ts'
import { dayNumber, dayOf, type Grain, startsOf } from '../../pure/periods.ts'
import { exact, type Zone } from '../../pure/time.ts'

const HOUR_SECONDS = 3600
/** Ranges up to here are shown by the hour. */
const HOURLY_DAYS_MAX = 7

interface Reader {
  zone: Zone
  language: Language
}

/** For the page. @throws Refusal 404 */
export async function historyOf(id: number, view: HistoryView, reader: Reader): Promise<ChannelHistory> {
  const { name } = await channelView(id)
  const { grain, starts, until } = periodsOf(view, reader.zone)
  const scope = { channel: id, from: starts[0]!, until, model: view.model }
  const [hours, models, events] = await Promise.all([
    historyByHour(scope),
    historyByModel({ ...scope, model: undefined }),
    eventsSince(scope, HISTORY_EVENTS_SHOWN),
  ])
  const edges = [...starts, until]
  const local = (at: number) => exact(at, reader.zone).slice(0, 'yyyy-mm-dd hh:mm'.length)
  const shown = models.slice(0, HISTORY_MODELS_SHOWN)
  const others = models.slice(HISTORY_MODELS_SHOWN)
  return {
    ...{ id, name, grain },
    periods: starts.map((start, index) => {
      const end = edges[index + 1]!
      const within = hours.filter(({ hour }) => hour >= start && hour < end)
      return { start, from: local(start), until: local(end), ...figuresOf(historySum(within)) }
    }),
    sum: figuresOf(historySum(hours)),
    models: shown.map(row => ({ model: row.model, ...figuresOf(row) })),
    others: others.length ? { count: others.length, ...figuresOf(historySum(others)) } : undefined,
    events: events.map(event => ({ ...event, reason: reasonIn(event.reason, reader.language) })),
  }
}

function periodsOf({ days = HISTORY_DAYS, day }: HistoryView, zone: Zone) {
  const today = dayNumber(now(), zone)
  const one = dayOf(day)
  const [first, last] = one === undefined ? [today - days + 1, today] : [one, one]
  const grain: Grain = one !== undefined || days <= HOURLY_DAYS_MAX ? 'hour' : 'day'
  const starts = startsOf(grain, zone, first, last)
  return { grain, starts, until: startsOf('day', zone, last + 1, last + 1)[0]! }
}

function figuresOf(counts: HistoryCounts): HistoryFigures {
  const failures = Object.fromEntries(FAILURE_KINDS.map(kind => [kind, counts[kind]])) as HistoryFigures['failures']
  const [p50, p95] = [percentileOf(counts, 0.5), percentileOf(counts, 0.95)]
  return {
    succeeded: counts.succeeded,
    failed: failedIn(counts),
    failures,
    streamed: firstTokenCalls(counts),
    first: p50 === undefined || p95 === undefined ? undefined : { p50, p95 },
  }
}

const reasonIn = (reason: string, language: Language) =>
  isMessageKey(reason) ? textOf(language, { key: reason }) : reason

/** For the JSON API: whole hours of UTC, those with attempts. @throws Refusal 404 */
export async function historyData(id: number, { days, model }: { days?: number; model?: string }, language: Language) {
  await channelView(id)
  const scope = { channel: id, from: historyStart(days), model }
  const [hours, models, events] = await Promise.all([
    historyByHour(scope),
    historyByModel(scope),
    eventsSince(scope, HISTORY_EVENTS_SHOWN),
  ])
  return {
    from: scope.from,
    until: now() - (now() % HOUR_SECONDS) + HOUR_SECONDS,
    total: wireOf(historySum(hours)),
    hours: hours.map(row => ({ hour: row.hour, ...wireOf(row) })),
    models: models.map(row => ({ model: row.model, ...wireOf(row) })),
    events: events
      .toSorted((one, other) => CHANNEL_EVENTS.indexOf(one.event) - CHANNEL_EVENTS.indexOf(other.event))
      .map(({ ms, reason, ...event }) => ({ ...event, seconds: ms / 1000, reason: reasonIn(reason, language) })),
  }
}

function wireOf(counts: HistoryCounts) {
  const { succeeded, failed, failures, streamed, first } = figuresOf(counts)
  const first_token = { calls: streamed, p50_ms: first?.p50 ?? null, p95_ms: first?.p95 ?? null }
  return { succeeded, failed, failures, first_token }
}
