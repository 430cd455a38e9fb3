/** Prepares the request of one attempt: translated, with the channel's settings and override, encoded. */

import { HOP_HEADER } from '../../contracts/relay.ts'
import { modelSettingsFor, type RoutedChannel, upstreamModel } from '../../domain/channels/index.ts'
import { option } from '../../domain/options/index.ts'
import { outputMaxOf } from '../../models/output-max.ts'
import { buildRequest, type UpstreamApi, type UpstreamCall, type UpstreamRequest } from '../../providers/index.ts'
import { joinHeaders } from '../../pure/headers.ts'
import type { Json } from '../../pure/json.ts'
import type { Call, Target } from '../call.ts'
import type { MultipartForm } from '../request/multipart-form.ts'
import { encodeLarge } from './encode-large.ts'
import { forceFormat } from './force-format.ts'
import { translateCall } from './translate-call.ts'

export interface PreparedRequest extends UpstreamRequest {
  /** The upstream's name for the model. */
  model: string
  /** Reads the response. */
  api: UpstreamApi
  /** Turns the whole response of a channel without streams into the stream that the client asked for. */
  toStream?: (response: Json) => string
}

/** @throws Untranslatable when the format cannot carry the request, Refusal when its media cannot be fetched */
export async function prepareRequest(call: Call, target: Target): Promise<PreparedRequest> {
  const { channel, key } = target
  const { stream } = call.facts
  const model = upstreamModel(channel, call.facts.model)
  const toStream = stream && isNonStreamOnly(channel) ? target.api.format.toStream : undefined
  const translated = await translateCall(call, target.api, toStream ? false : stream)
  const api = forceFormat(translated.api, target.api.format, channel, call)
  const { body, encode } = await encoding(call, translated.body, api)
  const request = await build(api, upstreamCallOf(channel, key, call), model, body, encode, call.is_large)
  const isTranslated = translated.api.format !== target.api.format
  const headers = {
    ...joinHeaders(request.headers, isTranslated ? undefined : call.client_headers),
    'accept-encoding': 'identity',
    [HOP_HEADER]: call.hops,
  }
  return { ...request, headers, model, api, toStream }
}

type Encode = MultipartForm['encode'] | undefined

async function build(
  api: UpstreamApi,
  config: UpstreamCall,
  model: string,
  body: Json,
  encode: Encode,
  is_large: boolean,
): Promise<UpstreamRequest> {
  if (encode || !is_large) return buildRequest(api, config, model, body, encode)
  let final = body
  const request = buildRequest(api, config, model, body, edited => {
    final = edited
    return { headers: {}, body: '' }
  })
  const encoded = await encodeLarge(final)
  return { ...request, headers: joinHeaders(encoded.headers, request.headers), body: encoded.body }
}

/** A form stays a form, unless the provider takes none: then its files become data URLs in JSON. */
async function encoding({ form }: Call, body: Json, { takes_no_forms }: UpstreamApi) {
  if (!form || !takes_no_forms) return { body, encode: form?.encode }
  return { body: await form.inlined(body), encode: undefined }
}

/** What the provider has to know of a channel for one request. */
export const upstreamCallOf = (
  channel: RoutedChannel,
  key: string,
  { facts, paid_output, is_limited }: Call,
): UpstreamCall => ({
  type: channel.type,
  base_url: channel.base_url,
  key,
  openai_organization: channel.openai_organization,
  other: channel.other,
  site: option('ServerAddress'),
  // Also where bodies pass unedited: what is not paid for is not asked for.
  output_limit: is_limited ? outputLimit(facts, paid_output, upstreamModel(channel, facts.model)) : undefined,
  ...(!passesThrough(channel) && {
    system_prompt: channel.system_prompt || channel.setting.system_prompt,
    replace_system: channel.setting.system_prompt_override,
    param_override: paramOverride(channel),
    settings: modelSettingsFor(facts.model, facts.max_output),
  }),
})

/** A limit that the caller does not name stays within the model's own: upstreams refuse a higher one. */
const outputLimit = ({ max_output }: Call['facts'], paid_output: number, model: string): number =>
  max_output === undefined ? Math.min(paid_output, outputMaxOf(model) ?? paid_output) : paid_output

export const paramOverride = (channel: RoutedChannel): Json | undefined =>
  isEmpty(channel.param_override) || passesThrough(channel) ? undefined : channel.param_override

/** Whether bodies go out unedited but for the model's name and the usage report that is billed. */
const passesThrough = ({ setting }: RoutedChannel) =>
  setting.pass_through_body || option('global.pass_through_request_enabled')

function isEmpty(object: object): boolean {
  for (const _ in object) return false
  return true
}

/** Whether the upstream has no streams, so that one is written from the whole response. */
export const isNonStreamOnly = ({ setting }: RoutedChannel) => setting.stream_support === 'NON_STREAM_ONLY'
