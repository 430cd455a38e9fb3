/** Parameters of the cooldown messages. */
import type { Cooldown } from '../../src/contracts/channel.ts'
import { isMessageKey, type Translate } from '../../src/locales/index.ts'

const STATUS_LENGTH = 3

/** Translates a reason that is a message key, else keeps the upstream's text; `brief` cuts it to the HTTP status. */
export function cooldownParams({ reason, seconds }: Cooldown, t: Translate, brief = false) {
  const text = isMessageKey(reason) ? t(reason) : reason
  return { reason: brief && /^\d{3}\b/.test(text) ? text.slice(0, STATUS_LENGTH) : text, seconds }
}
