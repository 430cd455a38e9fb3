/** Takes slots under the rate limits before the body is read, and checks afterwards whether the caller may use the model. */

import { Refusal } from '../../contracts/refusal.ts'
import { option } from '../../domain/options/index.ts'
import { listedName } from '../../domain/routing/index.ts'
import { commaList } from '../../pure/lists.ts'
import type { ApiCaller, Call } from '../call.ts'
import { acquireSlots, type Slots } from './rate-limit.ts'

/** @throws Refusal 403, or 429 with the seconds to wait */
export function admit(caller: ApiCaller, { headers }: Request): Slots {
  if (option('global.block_browser_extension_enabled') && isExtension(headers.get('origin'))) {
    throw new Refusal('relay.browser_extension_blocked', {}, 403)
  }
  return acquireSlots(caller)
}

/** @throws Refusal 403 */
export function checkModel(caller: ApiCaller, { facts: { model } }: Call) {
  if (!mayUse(caller, model)) throw new Refusal('relay.model_forbidden', { model }, 403)
}

/** Whether the token's list of models allows this one. A channel named in the key overrides the list. */
export function mayUse({ token, channel_id }: Pick<ApiCaller, 'token' | 'channel_id'>, model: string): boolean {
  if (!token.model_limits_enabled || channel_id !== undefined) return true
  const listed = commaList(token.model_limits)
  return listed.includes(model) || listed.includes(listedName(model))
}

/** chrome-extension://, moz-extension://, safari-web-extension:// */
const isExtension = (origin: string | null) => origin !== null && /^[\w-]*extension:\/\//i.test(origin)
