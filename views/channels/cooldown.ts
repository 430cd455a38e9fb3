/** Why something cools down, in the reader's words where it has any. */
import type { Cooldown } from '../../src/contracts/channel.ts'
import { isMessageKey, type Translate } from '../../src/locales/index.ts'

const STATUS_LENGTH = 3

/** What an upstream said as it is; of a status, in a list, only the number. */
export function cooldownParams({ reason, seconds }: Cooldown, t: Translate, brief = false) {
  const words = isMessageKey(reason) ? t(reason) : reason
  return { reason: brief && /^\d{3}\b/.test(words) ? words.slice(0, STATUS_LENGTH) : words, seconds }
}
