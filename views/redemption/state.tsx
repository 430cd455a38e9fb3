/** State of a redemption code. */
import { State } from '../../client/components/badge.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import {
  isUsedUp,
  obstacleOf,
  type Redemption,
  RedemptionStatus,
  UNLIMITED_USES,
} from '../../src/contracts/redemption.ts'

const states = {
  unused: { tone: 'open', word: 'redemption.state_unused' },
  in_use: { tone: 'open', word: 'redemption.state_in_use' },
  disabled: { tone: 'stopped', word: 'redemption.state_disabled' },
  used: { tone: 'fact', word: 'redemption.state_used' },
  used_up: { tone: 'fact', word: 'redemption.state_used_up' },
  expired: { tone: 'stopped', word: 'redemption.state_expired' },
  not_yet_valid: { tone: 'limited', word: 'redemption.state_not_yet_valid' },
} as const

/** An unused code can be expired or not valid yet, and an unused gift can have users. */
function stateOf(code: Redemption, now: number) {
  if (isUsedUp(code)) return states.used_up
  if (code.status === RedemptionStatus.used) return states.used
  if (code.status === RedemptionStatus.disabled) return states.disabled
  const obstacle = obstacleOf(code, now)
  if (obstacle === 'expired' || obstacle === 'not_yet_valid') return states[obstacle]
  return code.used_count ? states.in_use : states.unused
}

export const stateName = (code: Redemption, now: number) => stateOf(code, now).word

export function CodeState({ code }: { code: Redemption }) {
  const { t, now } = usePageContext()
  const { tone, word } = stateOf(code, now)
  return <State tone={tone}>{t(word)}</State>
}

/** `3 / 7`, `3 / ∞`; `0 / 1` for a code that is no gift. */
export const usesText = ({ is_gift, used_count, max_uses }: Redemption): string => {
  if (!is_gift) return `${used_count} / 1`
  return `${used_count} / ${max_uses === UNLIMITED_USES ? '∞' : max_uses}`
}
