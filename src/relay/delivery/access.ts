/** Running calls that lose their access end at once, billed for what has come: the key, the session, the user or the address is closed. */

import { onInvalidation } from '../../cluster/invalidation.ts'
import { onOptionChange } from '../../domain/options/index.ts'
import { setCoarseTimer } from '../../process/coarse-timer.ts'
import { LiveItems } from '../../pure/live-items.ts'
import type { ApiCaller } from '../caller.ts'
import { hasExpired, lostAccess, mayHaveLostAccess } from '../request/access-rules.ts'
import type { CallEnd } from './call-end.ts'

/** Milliseconds between two looks at the expiry of the keys of all running calls. */
const EXPIRY_CHECK_MS = 500

let calls = new LiveItems<CallEnd>()
let isTicking = false

/** Ends calls of this set when a change of their token, their session, their user or the options refuses them. */
export function watchAccess(running: LiveItems<CallEnd>) {
  calls = running
  onInvalidation('user', id => stopRefused(({ user }) => id === undefined || user.id === id))
  onInvalidation('session', id => stopRefused(({ user, session }) => session !== undefined && user.id === id))
  onInvalidation('token', id => stopRefused(({ token }) => id === undefined || token.id === id))
  onOptionChange(() => stopRefused(() => true))
}

/** Checks a call that has just begun: its token or user may have changed while its upstream was sought. */
export function checkAccess(end: CallEnd) {
  if (mayHaveLostAccess(end.billable.caller)) void stopIfRefused(end)
  if (isTicking) return
  isTicking = true
  setCoarseTimer(EXPIRY_CHECK_MS, stopExpired)
}

function stopExpired() {
  for (const end of calls) if (hasExpired(end.billable.caller)) void stopIfRefused(end)
  isTicking = calls.size > 0
  if (isTicking) setCoarseTimer(EXPIRY_CHECK_MS, stopExpired)
}

function stopRefused(isOwn: (caller: ApiCaller) => boolean) {
  for (const end of calls) if (isOwn(end.billable.caller)) void stopIfRefused(end)
}

async function stopIfRefused(end: CallEnd) {
  const { caller, call } = end.billable
  const refusal = await lostAccess(caller, call.facts.model).catch(() => undefined)
  if (refusal) void end.finish('stopped', refusal)
}
