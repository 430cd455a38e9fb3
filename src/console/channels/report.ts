/** Figures of a channel's report, each from where the console keeps it already. */
import type { ChannelReport, StatusEvent } from '../../../views/channels/report-view.ts'
import type { Outcomes } from '../../contracts/availability.ts'
import { ChannelStatus } from '../../contracts/channel.ts'
import { REPORT_DAYS } from '../../contracts/channel-report.ts'
import { detailsOf, LogType } from '../../contracts/log.ts'
import { listChangesOf } from '../../domain/audit-log/index.ts'
import { channelNames, channelView, listItemsOf } from '../../domain/channels/index.ts'
import { durationsOf, type LogRow, latestOfChannel } from '../../domain/logs/index.ts'
import { groupRatio } from '../../domain/pricing/index.ts'
import { channelById, healthOf, readingsOfChannel, sharingWith } from '../../domain/routing/index.ts'
import { usageOfSite } from '../../domain/usage/index.ts'
import { isMessageKey, type MessageKey, textOf, translator } from '../../locales/index.ts'
import type { Language } from '../../locales/languages.ts'
import { now } from '../../process/clock.ts'
import { exact, type Zone } from '../../pure/time.ts'

const HOUR_SECONDS = 3600
const REPORT_HOURS = REPORT_DAYS * 24
const ERRORS_MAX = 8
const EVENTS_MAX = 8
const TRAFFIC_MAX = 8
/** Newest changes and entries of a channel among which those of its status are looked for. */
const CHANGES_READ = 50
const statusMessages: string[] = ['channel.closed', 'channel.reopened', 'channel.key_closed'] satisfies MessageKey[]

interface Reader {
  zone: Zone
  language: Language
}

/** @throws Refusal 404 */
export async function reportOf(id: number, reader: Reader): Promise<ChannelReport> {
  const channel = await channelView(id)
  const { keys, balance, balance_updated_time } = channel
  const until = now() - (now() % HOUR_SECONDS) + HOUR_SECONDS
  const range = { from: until - REPORT_HOURS * HOUR_SECONDS, until }
  const [routed, items, health, usage, durations, errors, events] = await Promise.all([
    channelById(id),
    listItemsOf([channel], groupRatio),
    healthOf([id], REPORT_HOURS),
    usageOfSite('channel', range),
    durationsOf(id, range.from),
    latestOfChannel(id, { type: LogType.error, since: range.from, max: ERRORS_MAX }),
    eventsOf(id, reader.language),
  ])
  const { name, status, label, auto_disabled, cooldown, model_cooldowns, used_quota } = items[0]!
  const periods = periodsOf(health.get(id)!, range.from, reader.zone)
  const calls = new Map(usage.map(sum => [Number(sum.key), sum.calls]))
  return {
    ...{ id, name, status, label, auto_disabled, cooldown, model_cooldowns, used_quota },
    periods,
    sums: {
      calls: periods.reduce((sum, period) => sum + period.calls, 0),
      failed: periods.reduce((sum, period) => sum + period.failed, 0),
      quota: usage.find(({ key }) => key === String(id))?.quota ?? 0,
    },
    durations,
    keys,
    balance: balance_updated_time ? { amount: balance, at: balance_updated_time } : undefined,
    errors: errors.map(errorOf),
    traffic: await trafficOf(id, calls),
    events,
    limits: routed ? readingsOfChannel(routed) : [],
  }
}

function periodsOf(hours: Outcomes[], from: number, zone: Zone) {
  const local = (at: number) => exact(at, zone).slice(0, 'yyyy-mm-dd hh:mm'.length)
  return hours.map(({ succeeded, failed }, index) => {
    const start = from + index * HOUR_SECONDS
    const end = start + HOUR_SECONDS
    const minutes = (Math.min(end, now() + 1) - start) / 60
    const named = { from: local(start), until: local(end) }
    return { start, end, ...named, minutes, models: new Map(), calls: succeeded, failed }
  })
}

function errorOf(row: LogRow) {
  const { status_code, error_code, error_type } = detailsOf(row)
  const code = String(status_code || error_code || error_type || '')
  return { id: row.id, at: row.created_at, model: row.model_name, code, text: row.content }
}

async function trafficOf(id: number, calls: Map<number, number>): Promise<ChannelReport['traffic']> {
  const sharing = await sharingWith(id)
  const all = [...sharing].map(one => ({ id: one, calls: calls.get(one) ?? 0 }))
  all.sort((one, other) => other.calls - one.calls || one.id - other.id)
  const shown = all.filter((one, index) => index < TRAFFIC_MAX || one.id === id)
  const others = all.filter(one => !shown.includes(one))
  const names = new Map((await channelNames(shown.map(one => one.id))).map(one => [one.id, one.name]))
  return {
    rows: shown.map(one => ({ ...one, name: names.get(one.id) ?? '' })),
    calls: sumOf(all),
    others: { count: others.length, calls: sumOf(others) },
  }
}

const sumOf = (rows: { calls: number }[]) => rows.reduce((sum, { calls }) => sum + calls, 0)

/** Changes of the status, the newest first: automatic ones from the usage log, those of operators from the audit log. */
async function eventsOf(id: number, language: Language): Promise<StatusEvent[]> {
  const paging = { page: 1, size: CHANGES_READ, offset: 0 }
  const [automatic, changes] = await Promise.all([
    latestOfChannel(id, { type: LogType.system, since: 0, max: CHANGES_READ }),
    listChangesOf('channel', [String(id)], paging),
  ])
  const byOperators = changes.items.flatMap(({ action, created_time, actor_name, after }) => {
    const status = action === 'channel.edit' ? after?.status : undefined
    return status === undefined
      ? []
      : [{ at: created_time, by: actor_name, text: statusText(Number(status), language) }]
  })
  const events: StatusEvent[] = [
    ...automatic
      .filter(({ content }) => statusMessages.includes(content))
      .map(row => ({ at: row.created_at, text: automaticText(row, language) })),
    ...byOperators,
  ]
  return events.sort((one, other) => other.at - one.at).slice(0, EVENTS_MAX)
}

const statusText = (status: number, language: Language) =>
  translator(language)(status === ChannelStatus.enabled ? 'report.was_enabled' : 'report.was_disabled')

function automaticText(row: LogRow, language: Language): string {
  const { content } = row
  return isMessageKey(content) ? textOf(language, { key: content, params: detailsOf(row).params }) : content
}
