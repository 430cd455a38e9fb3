/** The columns and details that logs keep of a call. */

import type { Price } from '../../billing/price.ts'
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
  const cache_writes = usage.cache_write_5m + usage.cache_write_1h
  return {
    model_ratio: price.model_ratio,
    group_ratio: price.group_ratio,
    completion_ratio: price.completion_ratio,
    model_price: price.model_price,
    cache_tokens: usage.cache_read,
    cache_ratio: price.cache_ratio,
    ...(cache_writes && { cache_creation_tokens: cache_writes, cache_creation_ratio: price.cache_creation_ratio }),
    ...(call.endpoint.operation === 'realtime' && { ws: true }),
    ...audioDetails(price, usage),
    price_version: price.price_version,
    request_path: call.path,
    duration_ms: Math.round(call.elapsed()),
    ...(call.facts.stream && { stream_status: reason }),
    ...(reason !== 'finished' && { partial: true }),
    ...(by === 'gateway' && { counted_locally: true }),
    admin_info: attemptDetails(call),
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

/** Tokens of audio and text, where a call has audio. */
function audioDetails(price: Price, usage: Usage): LogDetails {
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
