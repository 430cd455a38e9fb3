/** The caller's request as one channel is to have it. */

import { Refusal } from '../../contracts/refusal.ts'
import { modelSettingsFor, type RoutedChannel } from '../../domain/channels/index.ts'
import { option } from '../../domain/options/index.ts'
import { extend } from '../../domain/wallet/index.ts'
import { type ClientFormat, isChatClient, isChatUpstream, type UpstreamFormat } from '../../formats/format.ts'
import { requestOf } from '../../formats/translate/passthrough.ts'
import type { UpstreamCall } from '../../providers/index.ts'
import type { Json } from '../../pure/json.ts'
import type { BillableCall, Call } from '../call.ts'
import { estimate } from '../charging/reserve.ts'
import { Fault } from '../errors/fault.ts'
import { apiFor } from './choose-format.ts'

const hasAny = (object: object) => {
  for (const _ in object) return true
  return false
}

/**
 * With the channel's override in it, the call asks for something else: more answers, longer ones. That is what is
 * held, sent and billed.
 * @throws Fault when an upstream would not understand it, Refusal 403 when there is not enough left for it.
 */
export async function applyOverride({ call, price, reservation }: BillableCall, channel: RoutedChannel): Promise<Call> {
  const override = overrideOf(channel)
  const spoken = override && apiFor(channel, call)
  if (!spoken) return call
  const isSame = (spoken.format as unknown) === call.endpoint.format
  const asked = isSame ? inItsWords(call, override) : inOthers(call, spoken.format, override)
  const missing = estimate(asked, price) - reservation.quota
  if (missing > 0 && !(await extend(reservation, missing))) throw new Refusal('relay.insufficient_user_quota', {}, 403)
  return asked
}

function inItsWords(call: Call, override: Json): Call {
  const { format } = call.endpoint
  const body = { ...call.body, ...override, model: call.body.model, stream: call.body.stream }
  const ask = format.readFacts(body)
  if ('code' in ask) throw new Fault({ status: 503, code: 'relay.channel_refuses_override', retry: true })
  const { model, stream, wants_usage } = call.facts
  return { ...call, body, facts: { ...ask, model, stream, wants_usage }, prompt_tokens: format.promptTokens(body) }
}

/** The override is in the upstream's words: what it makes of the call shows only in those. */
function inOthers(call: Call, upstream: UpstreamFormat & Partial<ClientFormat>, override: Json): Call {
  const client = call.endpoint.format
  const { readFacts } = upstream
  if (!isChatClient(client) || !isChatUpstream(upstream) || !readFacts) return call
  const request = requestOf(client, call.body)
  if (!('messages' in request)) return call
  const body = { ...upstream.writeRequest(request), model: call.facts.model }
  const before = readFacts(body)
  const after = readFacts({ ...body, ...override, model: call.facts.model })
  if ('code' in after) throw new Fault({ status: 503, code: 'relay.channel_refuses_override', retry: true })
  // What the format itself asks for, such as a limit that it must have, is not the operator's doing.
  const changed = (field: 'max_output' | 'choices') => 'code' in before || before[field] !== after[field]
  const { max_output, choices } = call.facts
  const facts = {
    ...call.facts,
    max_output: changed('max_output') ? after.max_output : max_output,
    choices: changed('choices') ? after.choices : choices,
  }
  return { ...call, facts }
}

const overrideOf = (channel: RoutedChannel) =>
  hasAny(channel.param_override) && !passesThrough(channel) ? channel.param_override : undefined

/** The caller's words and no others, but for the model's name and the report that is billed by. */
const passesThrough = ({ setting }: RoutedChannel) =>
  setting.pass_through_body || option('global.pass_through_request_enabled')

/** Of a channel, what its provider has to know. */
export const upstreamCallOf = (channel: RoutedChannel, key: string, { facts }: Call): UpstreamCall => ({
  type: channel.type,
  base_url: channel.base_url,
  key,
  openai_organization: channel.openai_organization,
  other: channel.other,
  site: option('ServerAddress'),
  ...(!passesThrough(channel) && {
    system_prompt: channel.system_prompt || channel.setting.system_prompt,
    replace_system: channel.setting.system_prompt_override,
    param_override: overrideOf(channel),
    settings: modelSettingsFor(facts.model, facts.max_output),
  }),
})

/** Whether a stream is to be made of the whole answer, because the upstream has no streams. */
export const isNonStreamOnly = ({ setting }: RoutedChannel) => setting.stream_support === 'NON_STREAM_ONLY'
