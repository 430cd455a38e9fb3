/** The columns and details that logs keep of a call. */

import { tierFor } from '../../billing/price.ts'
import { hourRatio } from '../../billing/rate.ts'
import { promptTokens } from '../../billing/usage.ts'
import type { LogDetails } from '../../contracts/log.ts'
import type { EndReason } from '../../contracts/relay.ts'
import type { MeteredUsage } from '../../formats/format.ts'
import type { BillableCall, Call } from '../call.ts'
import type { ApiCaller } from '../caller.ts'

/** The columns that usage and error logs share. */
export const logColumns = ({ facts, request_id }: Call, { user, token, group }: ApiCaller) => ({
  user_id: user.id,
  username: user.username,
  token_id: token.id,
  token_name: token.name,
  model_name: facts.model,
  group,
  is_stream: facts.stream,
  request_id,
})

/**
 * Beside its lines, what the bill was computed with: the ratios are those of the prompt's tier. A field that is undefined
 * is not written: that costs less than spreads of parts.
 */
export function detailsOf(
  { call, price, reservation }: BillableCall,
  metered: MeteredUsage,
  reason: EndReason,
): LogDetails {
  const { usage, by } = metered
  const { operation, format } = call.endpoint
  const tier = tierFor(price, usage)
  const { tariffs } = usage.tariffs ? price.under(usage.tariffs) : price
  const { cache_read, cache_write_5m, cache_write_1h, input_audio, output_audio, input_image } = usage
  // Entries of the Messages API always count cache writes.
  const claude = yes(format.name === 'anthropic')
  const writes = cache_write_5m + cache_write_1h
  const cached = yes(claude || writes > 0)
  const hour = yes(cache_write_1h > 0)
  const audio = yes(input_audio > 0 || output_audio > 0)
  const image = yes(input_image > 0)
  return {
    model_ratio: tier.model_ratio,
    group_ratio: price.group_ratio,
    user_group_ratio: price.by_user_group ? price.group_ratio : undefined,
    completion_ratio: tier.completion_ratio,
    model_price: tier.model_price,
    tier: 'from' in tier ? tier.from : undefined,
    reasoning_ratio: tier.reasoning_ratio,
    reasoning_tokens: usage.reasoning || undefined,
    multiplier: tier.multiplier === 1 ? undefined : tier.multiplier,
    tariffs: Object.keys(tariffs).length ? tariffs : undefined,
    calls: usage.calls !== undefined && usage.calls > 1 ? usage.calls : undefined,
    price_version: price.price_version,
    cache_tokens: cache_read,
    cache_ratio: tier.cache_ratio,
    claude,
    cache_creation_tokens: cached && writes,
    cache_creation_ratio: cached && tier.cache_creation_ratio,
    cache_creation_tokens_1h: hour && cache_write_1h,
    cache_creation_ratio_1h: hour && hourRatio(tier),
    ws: yes(operation === 'realtime'),
    audio,
    audio_input: audio && input_audio,
    audio_output: audio && output_audio,
    text_input: audio && promptTokens(usage) - input_audio,
    text_output: audio && usage.output,
    audio_ratio: audio && tier.audio_ratio,
    audio_completion_ratio: audio && tier.audio_completion_ratio,
    image,
    image_input: image && input_image,
    image_ratio: image && tier.image_ratio,
    request_path: call.path,
    duration_ms: Math.round(call.elapsed()),
    stream_status: call.facts.stream ? reason : undefined,
    partial: yes(reason !== 'finished'),
    counted_locally: yes(by === 'gateway'),
    passed_over: call.attempts.passed_over,
    admin_info: { ...attemptDetails(call), key_hash: reservation.key_hash },
  }
}

const yes = (is: boolean | undefined): true | undefined => is || undefined

/** The upstream's name for the model, where it differs from the client's. */
export const mappingDetails = ({ facts }: Call, upstream_model: string): LogDetails =>
  upstream_model === facts.model ? {} : { is_model_mapped: true, upstream_model_name: upstream_model }

/** The channels of all attempts, in order. */
export const attemptDetails = ({ attempts }: Call) => ({
  use_channel: attempts.all.map(({ channel }) => String(channel)),
  attempts: attempts.all,
  affinity: attempts.affinity,
})
