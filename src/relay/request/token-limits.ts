/** Tokens per minute of a key and of a user: what a call may take is spent before it is sent, and corrected at its end. */
import { type Decision, decide, type Rule, release, type TokenRule } from '../../cluster/limits.ts'
import { TokenWindow } from '../../cluster/token-window.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { option } from '../../domain/options/index.ts'
import { type Awaitable, chain } from '../../pure/awaitable.ts'
import type { RoutedCall } from '../call.ts'
import type { ApiCaller } from '../caller.ts'
import { isExempt, lower, type Slots } from './call-limits.ts'

const window = new TokenWindow('relay-tokens')
const SECONDS = 60

type CallSize = Pick<RoutedCall, 'prompt_tokens' | 'facts'>

/** What a call may take: the prompt, and the output that the client asks for. */
export const tokensAsked = ({ prompt_tokens, facts: { max_output = 0, choices } }: CallSize): number =>
  prompt_tokens + max_output * Math.max(1, choices)

/** @returns the slots with the tokens of the call; the same ones at once where nothing limits these. @throws Refusal 429 */
export function spendTokens(slots: Slots, caller: ApiCaller, call: CallSize): Awaitable<Slots> {
  const rules = rulesOf(caller, call)
  if (!rules.length) return slots
  return chain(decide(rules), decision => {
    const { wait: seconds, refused } = decision
    if (!seconds) return new SpentTokens(slots, decision)
    const { count, key } = rules[refused]!
    const code = key.startsWith(OF_KEY) ? 'relay.too_many_tokens_by_key' : 'relay.too_many_tokens'
    throw new Refusal(code, { count, seconds }, 429)
  })
}

const OF_KEY = 'token '

const none: readonly TokenRule[] = []

function rulesOf({ user, token, group }: ApiCaller, call: CallSize): readonly TokenRule[] {
  const of_user = user.tokens_per_minute || option('UserTokensPerMinute')
  // The calls of the playground have no key.
  const of_key = token.id ? lower(token.tokens_per_minute, option('KeyTokensPerMinute')) : 0
  if ((!of_user && !of_key) || isExempt(group)) return none
  const tokens = Math.ceil(tokensAsked(call))
  const rule = (key: string, count: number): TokenRule => ({
    ...{ kind: 'spend', window, key, count, seconds: SECONDS, tokens },
  })
  const rules: TokenRule[] = []
  if (of_user) rules.push(rule(`user ${user.id}`, of_user))
  if (of_key) rules.push(rule(`${OF_KEY}${token.id}`, of_key))
  return rules
}

class SpentTokens implements Slots {
  #isCorrected = false

  constructor(
    private readonly slots: Slots,
    private readonly decision: Decision,
  ) {}

  release(succeeded: boolean, tokens = 0) {
    this.slots.release(succeeded)
    if (this.#isCorrected) return
    this.#isCorrected = true
    const { rules, at_ms } = this.decision
    const corrected = (rules as readonly TokenRule[]).flatMap((rule): Rule[] => [
      { ...rule, kind: 'refund', at_ms },
      { ...rule, kind: 'spent', tokens },
    ])
    release(this.decision, corrected)
  }

  /** A call that fails takes none. */
  [Symbol.dispose]() {
    this.release(false)
  }
}
