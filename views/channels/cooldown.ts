/** The words of a cooldown. */
import type { Cooldown } from '../../src/contracts/channel.ts'
import { isMessageKey, type Translate } from '../../src/locales/index.ts'

const STATUS_LENGTH = 3

/** What cools down, why, and for how long. */
export const cooldownText = (cooldown: Cooldown, t: Translate): string =>
  t(sentences[cooldown.scope], { ...cooldownParams(cooldown, t), model: cooldown.model ?? '' })

const sentences = {
  channel: 'channel.cooling_because',
  key: 'channel.cooling_keys_because',
  model: 'channel.cooling_model_because',
} as const

/** For lists: the status stands for the upstream's words. */
export const briefCooldown = (cooldown: Cooldown, t: Translate): string =>
  t('channel.model_back_in', { ...cooldownParams(cooldown, t, true), model: cooldown.model ?? '' })

/** Translates a reason that is a message key, else keeps the upstream's text; `brief` cuts it to the HTTP status. */
export function cooldownParams({ reason, seconds }: Pick<Cooldown, 'reason' | 'seconds'>, t: Translate, brief = false) {
  const text = isMessageKey(reason) ? t(reason) : withoutStop(reason)
  return { reason: brief && /^\d{3}\b/.test(text) ? text.slice(0, STATUS_LENGTH) : text, seconds }
}

/** The sentence around it goes on. */
const withoutStop = (text: string): string => text.replace(/[.。]\s*$/, '')
