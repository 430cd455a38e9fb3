/** A month of demo calls, each reserved and settled like a real one, so that the audit of a demo is clean. */
import { bill } from '../../billing/bill.ts'
import type { BillLine } from '../../billing/bill-line.ts'
import type { Price } from '../../billing/price.ts'
import { completionTokens, promptTokens, type Usage, usageOf } from '../../billing/usage.ts'
import type { SessionUser } from '../../contracts/account.ts'
import { type Attempt, LogType } from '../../contracts/log.ts'
import { statusAt, type Token, TokenStatus } from '../../contracts/token.ts'
import { requestId } from '../../crypto/random-id.ts'
import type { Channel } from '../../domain/channels/index.ts'
import { writeLog } from '../../domain/logs/index.ts'
import { priceFor } from '../../domain/pricing/index.ts'
import { countOutcome } from '../../domain/routing/index.ts'
import { tokenByKey, touchToken } from '../../domain/tokens/index.ts'
import { countFailure } from '../../domain/usage/index.ts'
import { release, reserve, settle } from '../../domain/wallet/index.ts'
import { now, shiftClock } from '../../process/clock.ts'
import { commaList } from '../../pure/lists.ts'

const MS_PER_SECOND = 1000
const HOUR_SECONDS = 3600
const DAY_HOURS = 24
const NIGHT_HOURS = 7
const CALLS_AT_NIGHT = 3
const CALLS_BY_DAY = 14
const ONE_FAILS_IN = 40
const ONE_IS_RETRIED_IN = 25

interface Spender {
  owner: SessionUser
  token: Token
}

interface ChannelShare extends Pick<Channel, 'id' | 'name' | 'models' | 'group'> {
  /** Of the calls. */
  share: number
}

/** @param eachHour what else happens, with the hours that are left */
export async function spendForAMonth(
  spenders: Spender[],
  channels: ChannelShare[],
  days: number,
  eachHour: (hours_ago: number) => Promise<void>,
) {
  const pick = picker()
  for (let hour = 0; hour < days * DAY_HOURS; hour++) {
    await eachHour(days * DAY_HOURS - hour)
    const calls = 1 + pick(hour % DAY_HOURS < NIGHT_HOURS ? CALLS_AT_NIGHT : CALLS_BY_DAY)
    const pause = Math.floor(HOUR_SECONDS / (calls + 1))
    for (let call = 0; call < calls; call++) {
      shiftClock(pause)
      await callOnce(spenders[pick(spenders.length)]!, channels, pick)
    }
    shiftClock(HOUR_SECONDS - calls * pause)
  }
}

type Draw = (below: number) => number

async function callOnce({ owner, token }: Spender, channels: ChannelShare[], pick: Draw) {
  const group = token.group || owner.group
  const able = channels.filter(channel => channel.group.split(',').includes(group))
  const channel = byShare(able, pick)
  if (!channel || statusAt(token, now()) !== TokenStatus.enabled) return
  const models = commaList(channel.models).filter(model => mayUse(token, model))
  const model = models[pick(models.length)]
  if (!model) return
  const price = priceFor(model, { group, user_group: owner.group })
  if (!price) return
  const cached = pick(3) ? 0 : 1024 * (1 + pick(24))
  const usage = usageOf({ input: 200 + pick(24_000), cache_read: cached, output: 40 + pick(3200) })
  const { quota, lines } = bill(usage, price)
  const request_id = requestId()
  const hold = { request_id, user_id: owner.id, token_id: token.id, unlimited: token.unlimited_quota, quota }
  const reservation = await Promise.try(() => reserve(hold)).catch(() => undefined)
  if (!reservation) return

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
  }
  const fails = pick(ONE_FAILS_IN) === 0
  countOutcome(channel.id, !fails)
  await tokenByKey(token.key)
  touchToken(token.id)
  if (fails) {
    await release(reservation)
    countFailure({ user_id: owner.id, token_id: token.id, channel_id: channel.id, model, group })
    return writeLog({ ...row, ...failedFields(channel, failures[pick(failures.length)]!) })
  }
  const attempts = attemptsOf(channel, able, pick)
  const log = { ...row, quota, ...servedFields({ price, usage, lines, attempts, frt: 200 + pick(900) }) }
  await settle(reservation, { quota, usage, model, group, channel_id: channel.id, log })
}

function byShare(channels: ChannelShare[], pick: Draw): ChannelShare | undefined {
  let drawn = pick(channels.reduce((sum, { share }) => sum + share, 0))
  return channels.find(({ share }) => {
    drawn -= share
    return drawn < 0
  })
}

const mayUse = ({ model_limits_enabled, model_limits }: Token, model: string) =>
  !model_limits_enabled || commaList(model_limits).includes(model)

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

/** One call in 25 was first refused by another channel. */
function attemptsOf({ id, name }: ChannelShare, able: ChannelShare[], pick: Draw): Attempt[] {
  const answered = { channel: id, name, status: 200, reason: '', ms: 1200 + pick(9000) }
  const other = able.find(channel => channel.id !== id)
  if (!other || pick(ONE_IS_RETRIED_IN) > 0) return [answered]
  return [
    { channel: other.id, name: other.name, status: 429, reason: 'Rate limit reached', ms: 80 + pick(300) },
    answered,
  ]
}

const failures = [
  { status: 429, type: 'requests', code: 'rate_limit_exceeded', message: 'Rate limit reached for requests' },
  { status: 502, type: 'upstream_error', code: 'upstream_unreachable', message: 'The upstream cannot be reached' },
  { status: 504, type: 'upstream_error', code: 'upstream_timeout', message: 'The upstream did not answer in time' },
  {
    ...{ status: 400, type: 'invalid_request_error', code: 'context_length_exceeded' },
    message: "This model's maximum context length is 128000 tokens",
  },
]

const failedFields = ({ id, name }: ChannelShare, { status, type, code, message }: (typeof failures)[number]) => ({
  type: LogType.error,
  content: message,
  other: JSON.stringify({
    error_type: type,
    error_code: code,
    status_code: status,
    channel_id: id,
    channel_name: name,
    request_path: '/v1/chat/completions',
  }),
})

/** A random generator with a fixed seed: every demo shows the same month. */
function picker(): Draw {
  let state = 20_261_120
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
