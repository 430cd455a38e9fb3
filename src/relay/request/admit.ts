/** Whether this caller may have this, from here, now. */

import { Refusal } from '../../contracts/refusal.ts'
import { listedName } from '../../domain/channels/index.ts'
import { option } from '../../domain/options/index.ts'
import { inRange } from '../../pure/ip.ts'
import { commaList, lineList } from '../../pure/lists.ts'
import { addressOf } from '../../web/request.ts'
import type { ApiCaller, Call } from '../call.ts'
import { acquireSlots } from './rate-limit.ts'

/** Called when the call is over. */
export type Leave = (succeeded: boolean) => void

/** @throws Refusal 403, or 429 with the seconds to wait */
export function admit(caller: ApiCaller, call: Call, origin: string | null): Leave {
  if (option('global.block_browser_extension_enabled') && isExtension(origin)) {
    throw new Refusal('relay.browser_extension_blocked', {}, 403)
  }
  if (!mayUse(caller, call.facts.model)) throw new Refusal('relay.model_forbidden', { model: call.facts.model }, 403)
  return acquireSlots(caller)
}

/** @throws Refusal 403 unless the token may be used from here. A list with nothing but junk on it admits nobody. */
export function checkAddress({ token }: ApiCaller, request: Request, peer: Parameters<typeof addressOf>[1]) {
  if (!token.allow_ips) return
  const address = addressOf(request, peer)
  if (!inRange(address, lineList(token.allow_ips))) throw new Refusal('relay.address_forbidden', { address }, 403)
}

/** Whether a token's own list of models lets this one through. A channel chosen by hand goes before the list. */
export function mayUse({ token, channel_id }: ApiCaller, model: string): boolean {
  if (!token.model_limits_enabled || channel_id !== undefined) return true
  const listed = commaList(token.model_limits)
  return listed.includes(model) || listed.includes(listedName(model))
}

/** chrome-extension://, moz-extension://, safari-web-extension:// */
const isExtension = (origin: string | null) => origin !== null && /^[\w-]*extension:\/\//i.test(origin)
