/** Slots of a call under limits that all nodes keep together: one question when it begins, one message when it ends. */
import { type Decision, decide, type Rule, release } from '../../cluster/limits.ts'
import type { SlidingWindow } from '../../cluster/sliding-window.ts'
import { type CallLimit, limitRefusal, type Slots } from './call-limits.ts'

interface Windows {
  calls: SlidingWindow
  successes: SlidingWindow
}

class SharedSlots implements Slots {
  #released = false

  constructor(
    private readonly decision: Decision,
    private readonly successes: readonly Rule[],
  ) {}

  release(succeeded: boolean) {
    if (this.#released) return
    this.#released = true
    release(this.decision, succeeded ? this.successes : [])
  }

  [Symbol.dispose]() {
    this.release(false)
  }
}

/** @throws Refusal 429 of the first limit without room */
export async function acquireShared(limits: readonly CallLimit[], windows: Windows): Promise<Slots> {
  const rules = limits.map(limit => rulesOf(limit, windows))
  const decision = await decide(rules.flat())
  if (decision.wait) {
    const refused = decision.rules[decision.refused]!
    const limit = limits[rules.findIndex(some => some.includes(refused))]!
    throw limitRefusal(limit, decision.wait)
  }
  const { successes: window } = windows
  const successes = limits
    .filter(({ success }) => success)
    .map(({ key, success: count, seconds }): Rule => ({ kind: 'add', window, key, count, seconds }))
  return new SharedSlots(decision, successes)
}

/** Each running call may still count as a success. */
function rulesOf({ key, at_once, count, success, seconds }: CallLimit, { calls, successes }: Windows): Rule[] {
  const rules: Rule[] = []
  if (at_once || success) rules.push({ kind: 'lease', key, count: at_once ?? 0 })
  if (count && seconds) rules.push({ kind: 'take', window: calls, key, count, seconds })
  if (success && seconds) rules.push({ kind: 'check', window: successes, key, count: success, seconds, running: key })
  return rules
}
