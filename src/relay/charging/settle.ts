/** The end of a call: what it used, what that costs, and what is remembered of it. */

import { bill, quotaOf } from '../../billing/bill.ts'
import type { Price } from '../../billing/price.ts'
import { completionTokens, promptTokens, type Usage, usageOf } from '../../billing/usage.ts'
import { type Attempt, type LogDetails, LogType } from '../../contracts/log.ts'
import type { EndReason } from '../../contracts/relay.ts'
import { type RoutedChannel, recordEnd, upstreamModel } from '../../domain/channels/index.ts'
import { type NewLog, writeLog } from '../../domain/logs/index.ts'
import { option } from '../../domain/options/index.ts'
import { settle as book } from '../../domain/wallet/index.ts'
import type { MeteredUsage } from '../../formats/format.ts'
import { requestedEffort } from '../../formats/requested-effort.ts'
import { translate } from '../../locales/index.ts'
import { log, reason } from '../../process/log.ts'
import type { ApiCaller, BillableCall, Call } from '../call.ts'
import type { Fault } from '../errors/fault.ts'
import type { UpstreamResponse } from '../upstream/upstream-response.ts'
import { loggedContent } from './logged-content.ts'

const MS_PER_SECOND = 1000

export interface Settled extends MeteredUsage {
  /** What was billed. */
  quota: number
}

/** Bills an answer and writes it down; resolves when both are durable. */
export const settle = (order: BillableCall, answer: UpstreamResponse, ending: EndReason): Promise<Settled> =>
  settleMetered(order, answer, meter(order, answer, ending), ending)

type Served = Pick<UpstreamResponse, 'channel' | 'model' | 'first_ms' | 'facts'>

/** The same for what was metered on the way. */
export async function settleMetered(
  order: BillableCall,
  answer: Served,
  metered: MeteredUsage,
  ending: EndReason,
): Promise<Settled> {
  const { call } = order
  if (metered.doubts.length) {
    const doubts = metered.doubts.join('; ')
    log.warn('usage report not believed', { request_id: call.request_id, channel: answer.channel.id, doubts })
  }
  recordEnd(answer.channel, ending !== 'broken')
  const quota = await write(order, metered, answer.channel.id, {
    ...detailsOf(order, metered, ending),
    ...mappingOf(call, answer.model),
    frt: Math.round(answer.first_ms),
    reasoning_effort: requestedEffort(call.body, answer.model),
    ...loggedContent(call, answer.facts.text),
  })
  return { ...metered, quota }
}

/** What an answer that is under way costs by what is reported so far. */
export const quotaSoFar = (order: BillableCall, answer: UpstreamResponse): number =>
  quotaOf(meter(order, answer, 'finished').usage, order.price)

/** Bills the prompt of a caller who left before any answer came. */
export async function settleUnanswered(order: BillableCall) {
  const metered: MeteredUsage = { usage: usageOf({ input: order.call.prompt_tokens }), by: 'gateway', doubts: [] }
  await write(order, metered, order.call.attempts.at(-1)!.channel, detailsOf(order, metered, 'abandoned'))
}

function meter({ call, price }: BillableCall, answer: UpstreamResponse, ending: EndReason): MeteredUsage {
  const { facts } = answer
  const counted = {
    prompt: call.prompt_tokens,
    asked: call.body,
    by_call: price.mode === 'call',
    get output() {
      return facts.output_estimate
    },
  }
  const metered = answer.api.format.meter(facts.usage_report, counted)
  // Who leaves early has still had the prompt read.
  if (ending !== 'abandoned' || promptTokens(metered.usage)) return metered
  return { ...metered, usage: { ...metered.usage, input: call.prompt_tokens } }
}

async function write(
  { call, caller, price, reservation }: BillableCall,
  { usage }: MeteredUsage,
  channel: number,
  details: LogDetails,
): Promise<number> {
  const { quota, lines } = bill(usage, price)
  const { user, token, group } = caller
  const model = call.facts.model
  const seconds = Math.round(call.elapsed() / MS_PER_SECOND)
  const entry: NewLog | undefined = option('LogConsumeEnabled')
    ? {
        user_id: user.id,
        type: LogType.consume,
        username: user.username,
        token_id: token.id,
        token_name: token.name,
        model_name: model,
        group,
        channel,
        is_stream: call.facts.stream,
        use_time: seconds,
        prompt_tokens: promptTokens(usage),
        completion_tokens: completionTokens(usage),
        quota,
        request_id: call.request_id,
        other: JSON.stringify({ ...details, lines }),
      }
    : undefined
  await book(reservation, { quota, usage, model, group, channel_id: channel, log: entry })
  return quota
}

function detailsOf({ call, price }: BillableCall, { usage, by }: MeteredUsage, ending: EndReason): LogDetails {
  const written = usage.cache_write_5m + usage.cache_write_1h
  return {
    model_ratio: price.model_ratio,
    group_ratio: price.group_ratio,
    completion_ratio: price.completion_ratio,
    model_price: price.model_price,
    cache_tokens: usage.cache_read,
    cache_ratio: price.cache_ratio,
    ...(written && { cache_creation_tokens: written, cache_creation_ratio: price.cache_creation_ratio }),
    ...(call.endpoint.is_websocket && { ws: true }),
    ...audioOf(price, usage),
    price_version: price.price_version,
    request_path: call.path,
    duration_ms: Math.round(call.elapsed()),
    ...(call.facts.stream && { stream_status: ending }),
    ...(ending !== 'finished' && { partial: true }),
    ...(by === 'gateway' && { counted_locally: true }),
    admin_info: wayOf(call),
  }
}

/** The upstream's name for the model, where that is another. */
const mappingOf = ({ facts }: Call, theirs: string): LogDetails =>
  theirs === facts.model ? {} : { is_model_mapped: true, upstream_model_name: theirs }

/** The channels that it was sent to, in order. */
const wayOf = ({ attempts }: Call) => ({ use_channel: attempts.map(({ channel }) => String(channel)), attempts })

/** Where sound was heard or made, how much of it, and of text. */
function audioOf(price: Price, usage: Usage): LogDetails {
  const { input_audio: audio_input, output_audio: audio_output } = usage
  if (!audio_input && !audio_output) return {}
  return {
    audio: true,
    audio_input,
    audio_output,
    text_input: promptTokens(usage) - audio_input,
    text_output: usage.output,
    audio_ratio: price.audio_ratio,
    audio_completion_ratio: price.audio_completion_ratio,
  }
}

/** One entry for each failed attempt, where errors are logged: its user reads what the caller was told, operators more. */
export async function logFailure(
  call: Call,
  { user, token, group }: ApiCaller,
  channel: RoutedChannel,
  fault: Fault,
  attempt: Attempt,
) {
  if (!option('LogErrorEnabled')) return
  const details: LogDetails = {
    error_type: fault.upstream_error?.type || 'upstream_error',
    error_code: fault.upstream_error?.code || fault.code.split('.')[1],
    status_code: attempt.status || fault.status,
    channel_id: channel.id,
    channel_name: channel.name,
    channel_type: channel.type,
    request_path: call.path,
    ...mappingOf(call, upstreamModel(channel, call.facts.model)),
    admin_info: wayOf(call),
  }
  const entry: NewLog = {
    user_id: user.id,
    type: LogType.error,
    username: user.username,
    token_id: token.id,
    token_name: token.name,
    model_name: call.facts.model,
    group,
    channel: channel.id,
    is_stream: call.facts.stream,
    content: fault.upstream_error?.message || translate(call.language, fault.code, fault.params),
    request_id: call.request_id,
    other: JSON.stringify(details),
  }
  try {
    await writeLog(entry)
  } catch (error) {
    // A log that cannot be written must not fail the call that another channel may still answer.
    log.warn('error log not written', { request_id: call.request_id, reason: reason(error) })
  }
}
