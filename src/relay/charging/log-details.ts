/** The columns and details that logs keep of a call. */

import { type Price, tierFor } from '../../billing/price.ts'
import { type Figures, hourRatio } from '../../billing/rate.ts'
import { promptTokens, type Usage } from '../../billing/usage.ts'
import type { LogDetails } from '../../contracts/log.ts'
import type { EndReason } from '../../contracts/relay.ts'
import type { MeteredUsage } from '../../formats/format.ts'
import type { ApiCaller, BillableCall, Call } from '../call.ts'

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

export function detailsOf({ call, price }: BillableCall, { usage, by }: MeteredUsage, reason: EndReason): LogDetails {
  const { operation, format } = call.endpoint
  const figures = tierFor(price, usage)
  return {
    ...priceDetails(price, usage),
    ...cacheDetails(figures, usage, format.name === 'anthropic'),
    ...(operation === 'realtime' && { ws: true }),
    ...mediaDetails(figures, usage),
    request_path: call.path,
    duration_ms: Math.round(call.elapsed()),
    ...(call.facts.stream && { stream_status: reason }),
    ...(reason !== 'finished' && { partial: true }),
    ...(by === 'gateway' && { counted_locally: true }),
    admin_info: attemptDetails(call),
  }
}

/** What the bill was computed with, besides its lines: the ratios are those of the prompt's tier. */
export function priceDetails(price: Price, usage: Usage): LogDetails {
  const tier = tierFor(price, usage)
  const { reasoning_ratio, multiplier } = tier
  const tariffs = usage.tariffs ? price.under(usage.tariffs).tariffs : price.tariffs
  return {
    model_ratio: tier.model_ratio,
    group_ratio: price.group_ratio,
    ...(price.by_user_group && { user_group_ratio: price.group_ratio }),
    completion_ratio: tier.completion_ratio,
    model_price: tier.model_price,
    ...('from' in tier && { tier: tier.from }),
    ...(reasoning_ratio !== undefined && { reasoning_ratio }),
    ...(usage.reasoning && { reasoning_tokens: usage.reasoning }),
    ...(multiplier !== 1 && { multiplier }),
    ...(Object.keys(tariffs).length && { tariffs }),
    ...(usage.calls !== undefined && usage.calls > 1 && { calls: usage.calls }),
    price_version: price.price_version,
  }
}

/** @param claude the Messages API, whose entries always count cache writes */
function cacheDetails(figures: Figures, usage: Usage, claude: boolean): LogDetails {
  const { cache_ratio, cache_creation_ratio } = figures
  const { cache_read, cache_write_5m, cache_write_1h } = usage
  const writes = cache_write_5m + cache_write_1h
  return {
    cache_tokens: cache_read,
    cache_ratio,
    ...(claude && { claude }),
    ...((claude || writes > 0) && { cache_creation_tokens: writes, cache_creation_ratio }),
    ...(cache_write_1h > 0 && {
      cache_creation_tokens_1h: cache_write_1h,
      cache_creation_ratio_1h: hourRatio(figures),
    }),
  }
}

/** The upstream's name for the model, where it differs from the client's. */
export const mappingDetails = ({ facts }: Call, upstream_model: string): LogDetails =>
  upstream_model === facts.model ? {} : { is_model_mapped: true, upstream_model_name: upstream_model }

/** The channels of all attempts, in order. */
export const attemptDetails = ({ attempts }: Call) => ({
  use_channel: attempts.map(({ channel }) => String(channel)),
  attempts,
})

/** Tokens of audio, text and images, where a call has audio or images. */
function mediaDetails({ audio_ratio, audio_completion_ratio, image_ratio }: Figures, usage: Usage): LogDetails {
  const { input_audio: audio_input, output_audio: audio_output, input_image: image_input } = usage
  return {
    ...((audio_input > 0 || audio_output > 0) && {
      audio: true,
      audio_input,
      audio_output,
      text_input: promptTokens(usage) - audio_input,
      text_output: usage.output,
      audio_ratio,
      audio_completion_ratio,
    }),
    ...(image_input > 0 && { image: true, image_input, image_ratio }),
  }
}
