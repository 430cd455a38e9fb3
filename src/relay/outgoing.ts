/** The caller's request as one channel is to have it. */
import { type ReadyChannel, settingsFor } from '../console/channels/service.ts'
import { option } from '../console/options/service.ts'
import { grow } from '../console/wallet/service.ts'
import { Refusal } from '../kit/refusal.ts'
import type { Calling } from '../providers/index.ts'
import type { Call, Order } from './call.ts'
import { Fault } from './fault.ts'
import { estimate } from './reserve.ts'
import { spokenBy } from './speak.ts'

const hasAny = (object: object) => {
  for (const _ in object) return true
  return false
}

/**
 * With the channel's override in it, the call asks for something else: more answers, longer ones. That is what is
 * held, sent and billed. Where the channel speaks another format, its override is in words that the caller's has not.
 * @throws Fault when an upstream would not understand it, Refusal 403 when there is not enough left for it.
 */
export async function overridden({ call, price, reservation }: Order, channel: ReadyChannel): Promise<Call> {
  const { codec } = call.door
  const override = overrideOf(channel)
  const spoken: unknown = spokenBy(channel, call)?.codec
  if (!override || spoken !== codec) return call
  const body = { ...call.body, ...override, model: call.body.model, stream: call.body.stream }
  const ask = codec.readAsk(body)
  if ('code' in ask) throw new Fault({ status: 503, code: 'relay.channel_refuses_override', retry: true })
  const { model, stream, wants_usage } = call.ask
  const asked = { ...call, body, ask: { ...ask, model, stream, wants_usage }, prompt: codec.promptTokens(body) }
  const missing = estimate(asked, price) - reservation.quota
  if (missing > 0 && !(await grow(reservation, missing))) throw new Refusal('relay.insufficient_user_quota', {}, 403)
  return asked
}

const overrideOf = (channel: ReadyChannel) =>
  hasAny(channel.param_override) && !passesThrough(channel) ? channel.param_override : undefined

/** The caller's words and no others, but for the model's name and the report that is billed by. */
const passesThrough = ({ setting }: ReadyChannel) =>
  setting.pass_through_body || option('global.pass_through_request_enabled')

/** Of a channel, what its provider has to know. */
export const callingOf = (channel: ReadyChannel, key: string, { ask }: Call): Calling => ({
  type: channel.type,
  base_url: channel.base_url,
  key,
  openai_organization: channel.openai_organization,
  other: channel.other,
  site: option('ServerAddress'),
  ...(!passesThrough(channel) && {
    system_prompt: channel.system_prompt || channel.setting.system_prompt,
    replaces_system: channel.setting.system_prompt_override,
    param_override: overrideOf(channel),
    settings: settingsFor(ask.model, ask.max_output),
  }),
})

/** Whether a stream is to be made of the whole answer, because the upstream has no streams. */
export const answersWhole = ({ setting }: ReadyChannel) => setting.stream_support === 'NON_STREAM_ONLY'
