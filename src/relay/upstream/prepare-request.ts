/** Prepares the request of one attempt: translated, with the channel's settings and override, encoded. */

import { HOP_HEADER } from '../../contracts/relay.ts'
import { sign } from '../../crypto/sealing.ts'
import { option } from '../../domain/options/index.ts'
import {
  carryOut,
  configOf,
  modelSettingsFor,
  type RoutedChannel,
  type Sender,
  type Target,
  upstreamModel,
} from '../../domain/routing/index.ts'
import { inParts } from '../../formats/openai-embeddings/parts.ts'
import { outputMaxOf } from '../../models/output-max.ts'
import {
  draftRequest,
  type EncodedBody,
  encodeJson,
  type PassedApi,
  sealRequest,
  type UpstreamApi,
  type UpstreamCall,
  type UpstreamRequest,
} from '../../providers/index.ts'
import { type Awaitable, chain } from '../../pure/awaitable.ts'
import type { Json } from '../../pure/json.ts'
import type { Call } from '../call.ts'
import type { MultipartForm } from '../request/multipart-form.ts'
import { encodeLarge } from './encode-large.ts'
import { forceFormat } from './force-format.ts'
import { translateCall } from './translate-call.ts'
import { withoutForeign } from './without-foreign.ts'

/** A call translated for one target. */
export interface CallPlan {
  /** The upstream's name for the model. */
  model: string
  /** Reads the response. */
  api: PassedApi
  /** In the upstream's format; several for a list that is too long for one request. */
  bodies: Json[]
  encode: MultipartForm['encode'] | undefined
  /** Turns the whole response of a channel without streams into the stream that the client asked for. */
  toStream?: (response: Json) => string
  /** The upstream responds in a stream, the client wants a whole response. */
  isGathered: boolean
}

/** @throws Untranslatable when the format cannot carry the request, Refusal when its media cannot be fetched */
export function planCall(call: Call, { channel, api: own }: Target): Awaitable<CallPlan> {
  const { stream } = call.facts
  const model = upstreamModel(channel, call.facts.model)
  const toStream = stream && (own.no_streams || isNonStreamOnly(channel)) ? own.format.toStream : undefined
  const isGathered = !stream && (own.streams_only?.(model, call.body) ?? false)
  const translating = translateCall(call, { channel, api: own }, isGathered || (stream && !toStream))
  return chain(translating, translated => {
    const api = forceFormat(translated.api, own.format, channel, call)
    const known = isTranslated(call, own) ? translated.body : withoutForeign(translated.body, call, channel)
    return chain(inlined(call, known, api), body => {
      const bodies = api.inputs_max ? inParts(body, api.inputs_max(model)) : [body]
      const encode = api.takes_no_forms ? undefined : call.form?.encode
      return { model, api, bodies, encode, toStream, isGathered }
    })
  })
}

/**
 * Writes the request of one body: with the channel's settings and override, encoded and signed.
 * @param sender of requests that come before it
 */
export function prepareRequest(
  call: Call,
  { api, model, encode }: CallPlan,
  body: Json,
  config: UpstreamCall,
  sender: Sender,
): Awaitable<UpstreamRequest> {
  const client_headers = isTranslated(call, api) ? undefined : call.client_headers
  const draft = draftRequest(api, { ...config, client_headers }, model, body)
  const final = api.before ? carryOut(api.before(draft.body, config), { ...sender, url: draft.url }) : draft.body
  const encoding = chain(final, body => encodeBody(call, api, body, encode))
  return chain(encoding, encoded => {
    const request = sealRequest(api, config, draft, encoded)
    const headers = api.socket
      ? { ...draft.headers, [HOP_HEADER]: call.hops }
      : { ...request.headers, 'accept-encoding': 'identity', [HOP_HEADER]: call.hops }
    return { ...request, headers }
  })
}

/** Headers of a client are for its own format. */
const isTranslated = ({ endpoint }: Call, { format }: UpstreamApi) => endpoint.format.name !== format.name

function encodeBody(call: Call, api: UpstreamApi, body: Json, encode: CallPlan['encode']): Awaitable<EncodedBody> {
  const file = api.onlyFile?.(body)
  if (file) return { headers: { 'content-type': file.type }, body: file.bytes }
  if (encode) return encode(body)
  if (!call.is_large || api.socket) return encodeJson(body)
  return encodeLarge(body, api.provider?.sign !== undefined)
}

/** A form stays a form, unless the provider takes none: then its files become data URLs in JSON. */
const inlined = ({ form }: Call, body: Json, { takes_no_forms }: UpstreamApi): Awaitable<Json> =>
  form && takes_no_forms ? form.inlined(body) : body

/** What the provider has to know of a channel for one request. */
export const upstreamCallOf = (
  channel: RoutedChannel,
  key: string,
  { facts, hold: { paid_output, is_limited }, user_id }: Call,
): UpstreamCall => ({
  ...configOf(channel, key),
  caller: () => pseudonymOf(user_id),
  // Also where bodies pass unedited: what is not paid for is not asked for. An override may raise a limit unread.
  output_limit:
    is_limited || (facts.max_output !== undefined && paramOverride(channel))
      ? outputLimit(facts, paid_output, upstreamModel(channel, facts.model))
      : undefined,
  ...(!passesThrough(channel) && {
    system_prompt: channel.system_prompt || channel.setting.system_prompt,
    replace_system: channel.setting.system_prompt_override,
    param_override: paramOverride(channel),
    settings: modelSettingsFor(facts.model, facts.max_output),
  }),
})

const PSEUDONYM_LENGTH = 32

/** Without the installation's secret it tells nothing of the user. */
const pseudonymOf = (user_id: number): string => sign('upstream user', String(user_id)).slice(0, PSEUDONYM_LENGTH)

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
