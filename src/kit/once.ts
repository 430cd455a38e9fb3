/** For a form that a click too many sends twice: the second time leads to what came of the first. Each node for itself. */
import { now } from './clock.ts'

const KEPT_SECONDS = 30

/** @returns does the work that has this name, unless it was begun a moment ago; what has failed may be tried again */
export function once<T>() {
  const begun = new Map<string, { at: number; outcome: Promise<T> }>()

  return (name: string, work: () => Promise<T>): Promise<T> => {
    for (const [old, { at }] of begun) if (Math.abs(now() - at) > KEPT_SECONDS) begun.delete(old)
    const known = begun.get(name)
    if (known) return known.outcome
    const outcome = work()
    begun.set(name, { at: now(), outcome })
    outcome.catch(() => begun.delete(name))
    return outcome
  }
}
