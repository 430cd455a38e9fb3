/** Why a channel or key was disabled, in the reader's language. */
import type { Translate } from '../../src/locales/index.ts'

const STATUS_LENGTH = 3

/** Reasons that the gateway stores itself; any other is the upstream's status and words. */
const known = {
  manual: 'channel.key_disabled_by_hand',
  'insufficient balance': 'channel.insufficient_balance',
} as const

/** @param brief cuts it to the HTTP status */
export function disablingReason(reason: string, t: Translate, brief = false): string {
  if (Object.hasOwn(known, reason)) return t(known[reason as keyof typeof known])
  return brief && /^\d{3}\b/.test(reason) ? reason.slice(0, STATUS_LENGTH) : reason
}
