/** Models that serve a call where the requested one cannot, in the order in which they are tried. */

/** Models of one list. */
export const FALLBACK_MODELS_MAX = 8

/** Its list is that of every model without one of its own. */
export const ANY_MODEL = '*'

/** Lists by requested model. */
export type FallbackLists = Readonly<Record<string, readonly string[]>>

/** A group in which a call may be served, and the model that serves it there. */
export interface ServingStep {
  group: string
  model: string
}

/** @returns undefined where no list leads back to its own model. The list of `*` is no circle: it leaves out what is asked */
export function circleIn(lists: FallbackLists): string | undefined {
  const below = (model: string) => (model !== ANY_MODEL && Object.hasOwn(lists, model) ? lists[model]! : [])
  const leadsTo = (model: string, from: readonly string[], seen: Set<string>): boolean =>
    from.some(next => {
      if (next === model) return true
      if (seen.has(next)) return false
      seen.add(next)
      return leadsTo(model, below(next), seen)
    })
  return Object.keys(lists).find(model => leadsTo(model, below(model), new Set()))
}
