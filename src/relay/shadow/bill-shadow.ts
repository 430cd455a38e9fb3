/** Prices a call that the old gateway has answered, as if it had been served here by a channel of its own format. */
import { bill } from '../../billing/bill.ts'
import { tierFor } from '../../billing/price.ts'
import { completionTokens, promptTokens, type Usage } from '../../billing/usage.ts'
import type { EndReason } from '../../contracts/relay.ts'
import type { ShadowPrice } from '../../contracts/shadow.ts'
import { apiFor } from '../../domain/routing/index.ts'
import type { ShadowBill } from '../../domain/shadow/index.ts'
import type { ClientFormat, PassedUpstream, ResponseFacts } from '../../formats/format.ts'
import type { PricedCall, ReadCall } from '../call.ts'
import type { ApiCaller } from '../caller.ts'
import { answeredPrice } from '../charging/answered-price.ts'
import { checkedBill, checkedUsage } from '../charging/checked-bill.ts'
import { meter } from '../charging/meter.ts'
import { quote } from '../charging/quote.ts'
import { unreserved } from '../charging/reserve.ts'
import { requestedPrice } from '../charging/tariffs.ts'
import { submitsTask } from '../tasks/submit.ts'
import { unheld } from '../upstream/holders.ts'
import { withinTariffs } from '../upstream/within-tariffs.ts'
import { shadowTaskBill } from './bill-shadow-task.ts'
import { oldGateway } from './old-gateway.ts'

/** The format in which the answer comes: the client's own. @returns undefined where none is read in it */
export const formatOf = (format: ClientFormat): PassedUpstream | undefined =>
  format.responses ?? ('forward' in format ? (format as ClientFormat & PassedUpstream) : undefined)

export interface ShadowedAnswer {
  facts: ResponseFacts
  /** A whole response; absent for a stream. */
  bytes?: Uint8Array
}

/** @returns undefined where no API of another gateway answers such a call. @throws Refusal or Fault with which the call would have ended here */
export async function shadowBill(
  read: ReadCall,
  caller: ApiCaller,
  { facts, bytes }: ShadowedAnswer,
  reason: EndReason,
): Promise<ShadowBill | undefined> {
  const { endpoint } = read
  if (submitsTask(endpoint)) return shadowTaskBill({ read, caller, endpoint }, { facts, bytes })
  const format = formatOf(read.endpoint.format)
  const found = apiFor(oldGateway, read)
  if (!format || !found) return undefined
  const api = { ...found, format }
  const routed = unheld(read)
  const listed = quote(routed, caller)
  const [planned, candidates] = withinTariffs([{ channel: oldGateway, api }], { call: routed, caller, price: listed })
  const price = requestedPrice(planned, listed)
  const priced: PricedCall = { call: unreserved(planned, price, candidates), caller, price }
  const response = { api, channel: oldGateway, model: read.facts.model, facts }
  const metered = await meter(priced, response, reason)
  const usage = checkedUsage(metered.usage, read.request_id)
  const billed = answeredPrice(priced, response, usage)?.price ?? price
  const { quota, lines } = checkedBill(bill(usage, billed), billed, read.request_id)
  return {
    prompt_tokens: promptTokens(usage),
    completion_tokens: completionTokens(usage),
    quota,
    is_estimated: metered.by === 'gateway',
    price: detailsOf(
      usage,
      billed,
      lines.some(({ bucket }) => !plain.has(bucket)),
    ),
  }
}

/** What the ratios of `ShadowPrice` charge for. */
const plain = new Set<string>(['input', 'output', 'cache_read', 'cache_write_5m', 'reasoning', 'call'])

function detailsOf(usage: Usage, price: PricedCall['price'], hasOthers: boolean): ShadowPrice {
  const tier = tierFor(price, usage)
  return {
    model_ratio: tier.model_ratio,
    completion_ratio: tier.completion_ratio,
    group_ratio: price.group_ratio,
    cache_ratio: tier.cache_ratio,
    cache_creation_ratio: tier.cache_creation_ratio,
    model_price: tier.model_price,
    cache_tokens: usage.cache_read,
    cache_creation_tokens: usage.cache_write_5m + usage.cache_write_1h,
    reasoning_tokens: usage.reasoning,
    has_more: hasOthers || tier !== price || tier.multiplier !== 1 || tier.reasoning_ratio !== undefined,
  }
}
