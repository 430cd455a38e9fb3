/** A month of demo calls, each reserved and settled like a real one, so that the audit of a demo is clean. */
import { bill } from '../../billing/bill.ts'
import type { BillLine } from '../../billing/bill-line.ts'
import type { Price } from '../../billing/price.ts'
import { completionTokens, promptTokens, type Usage, usageOf } from '../../billing/usage.ts'
import type { SessionUser } from '../../contracts/account.ts'
import { type AffinityKind, type Attempt, LogType } from '../../contracts/log.ts'
import { statusAt, type Token, TokenStatus } from '../../contracts/token.ts'
import { requestId } from '../../crypto/random-id.ts'
import type { Channel } from '../../domain/channels/index.ts'
import { writeLog } from '../../domain/logs/index.ts'
import { priceFor } from '../../domain/pricing/index.ts'
import { countEvent, countFailed, countServed } from '../../domain/routing/index.ts'
import { tokenByKey, touchToken } from '../../domain/tokens/index.ts'
import { countAffinity, countFailure, countFirstToken } from '../../domain/usage/index.ts'
import { holdOfChannel, release, reserve, settle } from '../../domain/wallet/index.ts'
import { now, shiftClock } from '../../process/clock.ts'
import { commaList } from '../../pure/lists.ts'
import { promptCost } from '../../relay/charging/prompt-cost.ts'
import { failedFields, failures } from './failures.ts'

/** The last days are full and have their log, as `LogRetentionDays` of the demo says; those before are usage alone. */
export const LOGGED_DAYS = 2

const MS_PER_SECOND = 1000
const HOUR_SECONDS = 3600
const DAY_HOURS = 24
const NIGHT_HOURS = 7
/** Calls of an hour by night and by day: about 2,000 a day. */
const CALLS_AT_NIGHT = 40
const CALLS_BY_DAY = 108
/** The site has grown faster and faster: its first day had this much of the last one's calls. */
const FIRST_DAY_PERCENT = 5
/** Of the calls of a model; more on a day on which its maker is in trouble. */
const ONE_FAILS_IN = 150
const ONE_FAILS_IN_TROUBLE = 7
const ONE_DAY_IN_TROUBLE = 29
/** In the last hour every call that can be: the first page of the log shows some. */
const ONE_IS_RETRIED_IN = 4
const ONE_IS_SHORT_IN = 9
/** As `ChannelAffinitySample`. */
const ONE_IS_SAMPLED_IN = 20
const ONE_IS_CACHED_IN = 3
const ONE_OF_SAMPLE_IS_CACHED_IN = 8
const ONE_COOLS_DOWN_IN = 5
const COOLDOWN_MS = 20_000

interface Spender {
  owner: SessionUser
  token: Token
}

export interface ChannelShare extends Pick<Channel, 'id' | 'name' | 'models' | 'group'> {
  /** Of the calls; 0 where attempts alone are counted. */
  share: number
}

interface ServingChannel extends ChannelShare {
  /** Models that each token may call there; none where it has ended. */
  offers: Map<Spender, string[]>
}

/** @param eachHour what else happens, with the hours that are left */
export async function spendForAMonth(
  spenders: Spender[],
  channels: ChannelShare[],
  days: number,
  eachHour: (hours_ago: number) => Promise<void>,
) {
  const pick = picker()
  const serving = channels
    .filter(({ share }) => share > 0)
    .map(channel => ({ ...channel, offers: offersOf(channel, spenders) }))
  for (let hours_ago = days * DAY_HOURS; hours_ago > 0; hours_ago--) {
    await eachHour(hours_ago)
    const calls = callsIn(hours_ago, days, pick)
    const pause = Math.floor(HOUR_SECONDS / (calls + 1))
    const surroundings = { channels: serving, hours_ago, pick }
    const ends: Promise<unknown>[] = []
    for (let call = 0; call < calls; call++) {
      shiftClock(pause)
      // Each channel once an hour, then by their shares.
      ends.push(...(await callOnce(serving[call] ?? byShare(serving, pick), surroundings)))
    }
    // As by a test of each: no hour of a health strip is empty, not even the running one.
    for (const { id, models } of channels) countServed(id, commaList(models)[0] ?? '')
    // Settled together: a transaction for each hour.
    await Promise.all(ends)
    shiftClock(HOUR_SECONDS - calls * pause)
  }
}

export type Draw = (below: number) => number

function callsIn(hours_ago: number, days: number, pick: Draw): number {
  const hourOfDay = Math.floor(now() / HOUR_SECONDS) % DAY_HOURS
  const usual = hourOfDay < NIGHT_HOURS ? CALLS_AT_NIGHT : CALLS_BY_DAY
  const left = Math.max(0, hours_ago / DAY_HOURS - LOGGED_DAYS) / (days - LOGGED_DAYS)
  const percent = FIRST_DAY_PERCENT + (1 - left) ** 2 * (100 - FIRST_DAY_PERCENT)
  const drawn = usual - usual / 10 + pick(usual / 5)
  return Math.ceil((drawn * percent) / 100)
}

interface Surroundings {
  channels: ServingChannel[]
  hours_ago: number
  pick: Draw
}

/** @returns what has to end before the hour does */
async function callOnce(channel: ServingChannel, { channels, hours_ago, pick }: Surroundings) {
  const isLogged = hours_ago <= LOGGED_DAYS * DAY_HOURS
  const able = [...channel.offers.keys()]
  const spender = able[pick(able.length)]
  if (!spender) return []
  const { owner, token } = spender
  if (statusAt(token, now()) !== TokenStatus.enabled) return retire(spender, channels)
  const group = groupOf(spender)
  const models = channel.offers.get(spender)!
  const model = models[pick(models.length)]!
  const price = priceFor(model, { group, user_group: owner.group })
  if (!price) return []
  const kind = pick(ONE_IS_SAMPLED_IN) === 0 ? 'sample' : 'kept'
  const usage = drawUsage(pick, kind)
  const { quota, lines } = bill(usage, price)
  const request_id = requestId()
  const hold = { request_id, user_id: owner.id, token_id: token.id, unlimited: token.unlimited_quota, model, quota }
  const reservation = await Promise.try(() => reserve(hold)).catch(() => undefined)
  if (!reservation) return retire(spender, channels)
  await holdOfChannel(reservation, channel.id, '')

  const row = {
    user_id: owner.id,
    username: owner.username,
    token_id: token.id,
    token_name: token.name,
    model_name: model,
    group,
    channel: channel.id,
    request_id,
    is_stream: pick(3) > 0,
    created_at: now(),
  }
  const fails = pick(isInTrouble(model) ? ONE_FAILS_IN_TROUBLE : ONE_FAILS_IN) === 0
  if (isLogged) await tokenByKey(token.key)
  touchToken(token.id)
  if (fails) {
    await release(reservation)
    countFailure({ user_id: owner.id, token_id: token.id, channel_id: channel.id, model, group })
    const failure = failures[pick(failures.length)]!
    countFailed(channel.id, model, failure.kind)
    const entry = { ...row, ...failedFields(channel, failure) }
    return isLogged ? [writeLog(entry)] : []
  }
  const others = channels.filter(other => other !== channel && other.offers.get(spender)?.includes(model))
  const attempts = attemptsOf(model, channel, hours_ago > 1 && pick(ONE_IS_RETRIED_IN) ? [] : others, pick)
  const frt = drawFirstToken(model, pick)
  countServed(channel.id, model, row.is_stream ? frt : undefined)
  if (row.is_stream) countFirstToken(model, frt)
  countAffinity(kind, promptCost(usage, price))
  const served = { price, usage, lines, attempts, frt }
  const log = isLogged ? { ...row, quota, ...servedFields(served) } : undefined
  return [settle(reservation, { quota, usage, model, group, channel_id: channel.id, log })]
}

const groupOf = ({ owner, token }: Spender) => token.group || owner.group

/** One model after the other. */
const isInTrouble = (model: string) =>
  (Math.floor(now() / (DAY_HOURS * HOUR_SECONDS)) + model.length * model.charCodeAt(model.length - 1)) %
    ONE_DAY_IN_TROUBLE ===
  0

/** Milliseconds: each model has its own pace, by the length of its name. */
export const drawFirstToken = (model: string, pick: Draw) => 180 + ((model.length * 97) % 500) + pick(800)

/** An agent's prompt, most of it read from the cache, or a short question. */
function drawUsage(pick: Draw, kind: AffinityKind): Usage {
  if (pick(ONE_IS_SHORT_IN) === 0) return usageOf({ input: 200 + pick(4000), output: 40 + pick(900) })
  const prompt = 5000 + pick(430) * pick(420)
  const cache_read = pick(kind === 'kept' ? ONE_IS_CACHED_IN : ONE_OF_SAMPLE_IS_CACHED_IN)
    ? 0
    : Math.floor((prompt * (50 + pick(45))) / 100)
  return usageOf({ input: prompt - cache_read, cache_read, output: 120 + pick(5200) })
}

function byShare(channels: ServingChannel[], pick: Draw): ServingChannel {
  let drawn = pick(channels.reduce((sum, { share }) => sum + share, 0))
  return channels.find(({ share }) => {
    drawn -= share
    return drawn < 0
  })!
}

function offersOf({ models, group }: ChannelShare, spenders: Spender[]): ServingChannel['offers'] {
  const groups = commaList(group)
  const offers = spenders.map((spender): [Spender, string[]] => {
    const { model_limits_enabled, model_limits } = spender.token
    const allowed = model_limits_enabled ? commaList(model_limits) : undefined
    const isOpen = groups.includes(groupOf(spender))
    return [spender, isOpen ? commaList(models).filter(model => allowed?.includes(model) ?? true) : []]
  })
  return new Map(offers.filter(([, models]) => models.length))
}

/** A token that has expired, or used its quota up, makes no more calls. */
function retire(spender: Spender, channels: ServingChannel[]): [] {
  for (const { offers } of channels) offers.delete(spender)
  return []
}

interface ServedCall {
  price: Price
  usage: Usage
  lines: BillLine[]
  attempts: Attempt[]
  frt: number
}

function servedFields({ price, usage, lines, attempts, frt }: ServedCall) {
  const duration_ms = attempts.reduce((sum, { ms }) => sum + ms, 0)
  const details = {
    model_ratio: price.model_ratio,
    completion_ratio: price.completion_ratio,
    model_price: price.model_price,
    group_ratio: price.group_ratio,
    cache_tokens: usage.cache_read,
    price_version: price.price_version,
    frt,
    duration_ms,
    lines,
    request_path: '/v1/chat/completions',
    admin_info: { use_channel: attempts.map(attempt => String(attempt.channel)), attempts },
  }
  return {
    type: LogType.consume,
    use_time: Math.round(duration_ms / MS_PER_SECOND),
    prompt_tokens: promptTokens(usage),
    completion_tokens: completionTokens(usage),
    other: JSON.stringify(details),
  }
}

/** @param others channels of which one refused the call first */
function attemptsOf(model: string, { id, name }: ChannelShare, others: ChannelShare[], pick: Draw): Attempt[] {
  const answered = { channel: id, name, status: 200, reason: '', ms: 1200 + pick(9000) }
  const other = others[pick(others.length)]
  if (!other) return [answered]
  countFailed(other.id, model, 'rate_limited')
  const cooldown = { event: 'cooldown', cause: 'rate_limited', reason: '429 Rate limit reached', model } as const
  if (answered.ms % ONE_COOLS_DOWN_IN === 0)
    countEvent({ channel_id: other.id, ms: COOLDOWN_MS + answered.ms, ...cooldown })
  return [
    { channel: other.id, name: other.name, status: 429, reason: 'Rate limit reached', ms: 80 + pick(300) },
    answered,
  ]
}

/** A random generator with a fixed seed: every demo shows the same month. */
export function picker(): Draw {
  let state = 20_261_120
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
