/** A month of calls, each reserved, billed and settled as a real one is, so that the books of a demo are true. */
import type { Channel } from '../../console/channels/service.ts'
import { priceFor } from '../../console/pricing/service.ts'
import { release, reserve, settle } from '../../console/wallet/service.ts'
import type { Caller } from '../../contracts/account.ts'
import { LogType } from '../../contracts/log.ts'
import type { Token } from '../../contracts/token.ts'
import { shiftClock } from '../../kit/clock.ts'
import { requestId } from '../../kit/keys.ts'
import { bill } from '../../pure/bill.ts'
import { completionTokens, promptTokens, usageOf } from '../../pure/usage.ts'

const HOUR_SECONDS = 3600
const DAY_HOURS = 24
/** Most people sleep at night. */
const CALLS_A_DAYTIME_HOUR = 4
const FAILURES_IN = 40

interface Spender {
  owner: Caller
  token: Token
}

type Served = Pick<Channel, 'id' | 'name' | 'models' | 'group'>

export async function spendForAMonth(spenders: Spender[], channels: Served[], days: number) {
  const pick = picker()
  for (let hour = 0; hour < days * DAY_HOURS; hour++) {
    const asleep = hour % DAY_HOURS < 7
    const calls = asleep ? pick(2) : pick(CALLS_A_DAYTIME_HOUR) + 1
    const pause = Math.floor(HOUR_SECONDS / (calls + 1))
    for (let call = 0; call < calls; call++) {
      shiftClock(pause)
      await callOnce(spenders[pick(spenders.length)]!, channels, pick)
    }
    shiftClock(HOUR_SECONDS - calls * pause)
  }
}

type Draw = (below: number) => number

async function callOnce({ owner, token }: Spender, channels: Served[], pick: Draw) {
  const group = token.group || owner.group
  const channel = channels.find(channel => channel.group.split(',').includes(group)) ?? channels[0]!
  const models = channel.models.split(',')
  const model = models[pick(models.length)]!
  const price = priceFor(model, { group })
  if (!price) return
  const usage = usageOf({
    input: 200 + pick(4000),
    cache_read: pick(3) ? 0 : pick(6000),
    output: 40 + pick(1200),
    reasoning: 0,
  })
  const { quota, lines } = bill(usage, price)
  const request_id = requestId()
  const identity = { user_id: owner.id, username: owner.username, token_id: token.id, token_name: token.name }
  const row = { ...identity, model_name: model, group, channel: channel.id, request_id, is_stream: pick(3) > 0 }
  const reservation = await reserve({
    request_id,
    user_id: owner.id,
    token_id: token.id,
    unlimited: token.unlimited_quota,
    quota,
  }).catch(() => undefined)
  if (!reservation) return
  if (pick(FAILURES_IN) === 0) return release(reservation, { ...row, ...refused(channel) })
  const ms = 400 + pick(9000)
  await settle(reservation, {
    quota,
    usage,
    model,
    group,
    channel_id: channel.id,
    log: {
      ...row,
      type: LogType.consume,
      quota,
      use_time: Math.round(ms / 1000),
      prompt_tokens: promptTokens(usage),
      completion_tokens: completionTokens(usage),
      other: JSON.stringify({
        model_ratio: price.model_ratio,
        completion_ratio: price.completion_ratio,
        model_price: price.model_price,
        group_ratio: price.group_ratio,
        cache_tokens: usage.cache_read,
        frt: 200 + pick(900),
        lines,
        request_path: '/v1/chat/completions',
        admin_info: {
          use_channel: [String(channel.id)],
          attempts: [{ channel: channel.id, name: channel.name, status: 200, ms }],
        },
      }),
    },
  })
}

const refused = ({ id, name }: Served) => ({
  type: LogType.error,
  content: 'upstream rate limit',
  other: JSON.stringify({
    error_type: 'requests',
    error_code: 'rate_limit_exceeded',
    status_code: 429,
    channel_id: id,
    channel_name: name,
    request_path: '/v1/chat/completions',
  }),
})

/** The same month every time. */
function picker(): Draw {
  let state = 20_261_120
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
