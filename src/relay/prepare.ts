/** What a call needs before it goes to an upstream: channels that can serve it, its price, and quota that is set aside. */
import type { Price } from '../billing/price.ts'
import { Refusal } from '../contracts/refusal.ts'
import type { Candidate, RoutedChannel } from '../domain/routing/index.ts'
import { mark } from '../process/marks.ts'
import { chain } from '../pure/awaitable.ts'
import type { PricedCall, ReadCall } from './call.ts'
import type { ApiCaller } from './caller.ts'
import type { CallReservation } from './charging/call-reservation.ts'
import { carryingLimits } from './charging/output-max.ts'
import { quote } from './charging/quote.ts'
import { reserve } from './charging/reserve.ts'
import { requestedPrice } from './charging/tariffs.ts'
import { candidates } from './upstream/candidates.ts'
import { holders } from './upstream/holders.ts'
import { withinTariffs } from './upstream/within-tariffs.ts'

/** A call that may go to these channels, at this price. */
export interface PreparedCall extends PricedCall {
  readonly reservation: CallReservation
  readonly channels: Candidate[]
}

/**
 * @param isTried whether a channel has failed to serve this call before; absent for a call that begins
 * @throws Refusal or Fault, with nothing set aside
 */
export async function prepare(
  read: ReadCall,
  caller: ApiCaller,
  isTried?: (channel: RoutedChannel) => boolean,
): Promise<PreparedCall> {
  const { trace } = read
  // A wait for what is known costs a turn of each call.
  const [routed, holding] = await chain(candidates(read, caller), found =>
    holders(isTried ? untried(found, isTried) : found, read),
  )
  mark('candidates')
  const listed = quote(routed, caller)
  const [planned, channels] = withinTariffs(holding, { call: routed, caller, price: listed })
  const price: Price = requestedPrice(planned, listed)
  mark('price')
  const { recorder } = planned
  recorder.keep(holding, 'not_holder')
  recorder.keep(channels, 'not_covered')
  recorder.reserving(planned)
  trace?.reserving()
  const [call, reservation] = await reserve(planned, caller, price, channels)
  mark('reserve')
  trace?.reserved()
  recorder.reserved(call)
  reservation.recordOf = () => recorder.recordOf(call)
  if (!call.hold.sends_limit) return { call, caller, price, reservation, channels }
  const paid = recorder.keep([...carryingLimits(channels, call)], 'no_limit')
  return { call, caller, price, reservation, channels: paid }
}

/** @throws Refusal 503 where none is left */
function untried(found: Candidate[], isTried: (channel: RoutedChannel) => boolean): Candidate[] {
  const left = found.filter(({ channel }) => !isTried(channel))
  if (!left.length) throw new Refusal('relay.channel_unfit', {}, 503)
  return left
}
