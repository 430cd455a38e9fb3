/** Takes slots under the rate limits before the body is read, and checks afterwards whether the caller may use the model. */

import { Refusal } from '../../contracts/refusal.ts'
import { option } from '../../domain/options/index.ts'
import type { Awaitable } from '../../pure/awaitable.ts'
import type { ReadCall } from '../call.ts'
import type { ApiCaller } from '../caller.ts'
import { modelRefusal } from './access-rules.ts'
import type { Slots } from './call-limits.ts'
import { acquireSlots } from './rate-limit.ts'

/** @throws Refusal 403, or 429 with the seconds to wait */
export function admit(caller: ApiCaller, { headers }: Request): Awaitable<Slots> {
  if (option('global.block_browser_extension_enabled') && isExtension(headers.get('origin'))) {
    throw new Refusal('relay.browser_extension_blocked', {}, 403)
  }
  return acquireSlots(caller)
}

/** @throws Refusal 403 */
export function checkModel(caller: ApiCaller, { facts: { model } }: ReadCall) {
  const refusal = modelRefusal(caller, model)
  if (refusal) throw refusal
}

/** chrome-extension://, moz-extension://, safari-web-extension:// */
const isExtension = (origin: string | null) => origin !== null && /^[\w-]*extension:\/\//i.test(origin)
