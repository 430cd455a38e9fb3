/** Reads what a channel's parameter override changes of a call: that is what is reserved and billed. */

import type { Target } from '../../domain/routing/index.ts'
import { type ClientFormat, isChatUpstream, type UpstreamFormat } from '../../formats/format.ts'
import { type Awaitable, chain } from '../../pure/awaitable.ts'
import type { Json } from '../../pure/json.ts'
import type { BillableCall, Call } from '../call.ts'
import { estimate, expectedOutput } from '../charging/estimate.ts'
import { outputMaxFor } from '../charging/output-max.ts'
import { Fault } from '../errors/fault.ts'
import type { Send } from './dispatch.ts'
import { paramOverride } from './prepare-request.ts'

/** Sends the call with what the channel's override changes of it. */
export const overridden =
  <T>(billable: BillableCall, send: Send<T>): Send<T> =>
  (_, target) => {
    const changed = withOverrideFacts(billable, target)
    return changed instanceof Promise ? changed.then(call => send(call, target)) : send(changed, target)
  }

/**
 * Extends the reservation by what the override adds.
 * @throws Fault when the overridden request is invalid, Refusal 403 when the balance does not pay for it
 */
function withOverrideFacts({ call, price, reservation }: BillableCall, target: Target): Awaitable<Call> {
  const { channel, api } = target
  const override = paramOverride(channel)
  if (!override) return call
  const isSameFormat = (api.format as unknown) === call.endpoint.format
  const changed = isSameFormat ? inSameFormat(call, override) : inOtherFormat(call, api.format, override)
  const max = outputMaxFor(changed, [target])
  const { hold } = call
  const paid_output = hold.is_limited ? Math.min(max, hold.paid_output) : max
  const overridden: Call = { ...changed, hold: { ...hold, paid_output } }
  const missing = estimate(overridden, overridden.hold, price) - reservation.quota
  const more_tokens = Math.max(0, expectedOutput(overridden) - expectedOutput(call))
  return chain(missing > 0 ? reservation.extend(missing, 0, more_tokens) : undefined, () => {
    if (price.mode === 'tokens') reservation.cover(expectedOutput(overridden))
    return overridden
  })
}

function inSameFormat(call: Call, override: Json): Call {
  const { format } = call.endpoint
  const billed_body = { ...call.body, ...override, model: call.body.model, stream: call.body.stream }
  const facts = format.readFacts(billed_body)
  if ('code' in facts) throw refused()
  const { model, stream, wants_usage } = call.facts
  return {
    ...call,
    billed_body,
    facts: { ...facts, model, stream, wants_usage },
    prompt_tokens: format.promptTokens(billed_body) + call.stored_tokens,
  }
}

/** The override is in the upstream's format: its effect shows only in the translated body. */
function inOtherFormat(call: Call, format: UpstreamFormat & Partial<ClientFormat>, override: Json): Call {
  const { readFacts } = format
  const request = call.canonical.read()
  if (!request || !('messages' in request) || !isChatUpstream(format) || !readFacts) return call
  const body = { ...format.writeRequest(request), model: call.facts.model }
  const before = readFacts(body)
  const after = readFacts({ ...body, ...override, model: call.facts.model })
  if ('code' in after) throw refused()
  // What the format itself adds, such as a required limit, is no effect of the override.
  const changed = (field: 'max_output' | 'choices') => 'code' in before || before[field] !== after[field]
  const { max_output, choices } = call.facts
  const facts = {
    ...call.facts,
    max_output: changed('max_output') ? after.max_output : max_output,
    choices: changed('choices') ? after.choices : choices,
  }
  return { ...call, facts }
}

const refused = () => new Fault({ status: 503, code: 'relay.channel_refuses_override', retry: true })
