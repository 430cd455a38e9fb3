/** For a form that a click too many sends twice: the second time leads to what came of the first. Each node for itself. */

import { randomToken } from '../crypto/random-id.ts'
import { digest } from '../crypto/sealing.ts'
import { now } from '../process/clock.ts'

const FORM_ID_BYTES = 16
const KEPT_SECONDS = 30

/** Tells a form from every other that was drawn. */
export const newFormId = () => randomToken(FORM_ID_BYTES)

/** @returns does the work of a form, unless the same was begun a moment ago; what has failed may be tried again */
export function idempotent<T>() {
  const begun = new Map<string, { at: number; outcome: Promise<T> }>()

  return (sender: number, typed: { form_id: string }, work: () => Promise<T>): Promise<T> => {
    if (!typed.form_id) return work()
    for (const [old, { at }] of begun) if (Math.abs(now() - at) > KEPT_SECONDS) begun.delete(old)
    const name = digest(JSON.stringify([sender, typed]))
    const known = begun.get(name)
    if (known) return known.outcome
    const outcome = work()
    begun.set(name, { at: now(), outcome })
    outcome.catch(() => begun.delete(name))
    return outcome
  }
}
