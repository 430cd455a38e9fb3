/** Which call here is which entry there: by the id of the request, else by user, model, tokens and time. */
import type { CallOwner, OurCall } from './our-calls.ts'
import type { TheirCall } from './their-log.ts'

export interface OwnedCall extends CallOwner {
  call: OurCall
}

/** Seconds by which the end of a call here and its entry there may be apart. */
export const APART_SECONDS = 60

/** Calls here that have no entry yet, of a window of time. */
export class CallPool {
  readonly #byId = new Map<string, OwnedCall>()
  readonly #byModel = new Map<string, Set<OwnedCall>>()

  add(owned: OwnedCall) {
    const { their_id, model } = owned.call
    if (their_id) this.#byId.set(their_id, owned)
    this.#byModel.set(model, (this.#byModel.get(model) ?? new Set()).add(owned))
  }

  #take(owned: OwnedCall): OwnedCall {
    const { their_id, model } = owned.call
    if (this.#byId.get(their_id) === owned) this.#byId.delete(their_id)
    this.#byModel.get(model)?.delete(owned)
    return owned
  }

  takeById({ request_id }: TheirCall): OwnedCall | undefined {
    const owned = request_id ? this.#byId.get(request_id) : undefined
    return owned && this.#take(owned)
  }

  /** The nearest in time. @param sameTokens looks at calls of the same tokens alone */
  takeNearest(theirs: TheirCall, sameTokens: boolean): OwnedCall | undefined {
    let [nearest, least]: [OwnedCall | undefined, number] = [undefined, APART_SECONDS + 1]
    for (const owned of this.#byModel.get(theirs.model) ?? []) {
      const apart = Math.abs(owned.call.created_at - theirs.at)
      if (apart >= least || !isOf(owned, theirs)) continue
      if (sameTokens && !hasTokens(owned.call, theirs)) continue
      ;[nearest, least] = [owned, apart]
    }
    return nearest && this.#take(nearest)
  }

  /** Takes those that ended before a second. */
  takeBefore(second: number): OwnedCall[] {
    const taken: OwnedCall[] = []
    for (const calls of this.#byModel.values())
      for (const owned of calls) if (owned.call.created_at < second) taken.push(this.#take(owned))
    return taken
  }
}

const hasTokens = (ours: OurCall, { prompt_tokens, completion_tokens }: TheirCall) =>
  ours.prompt_tokens === prompt_tokens && ours.completion_tokens === completion_tokens

/** A call whose user is not known at all may be of any. */
function isOf({ user_id, user, isKnown }: CallOwner, theirs: TheirCall): boolean {
  if (user_id !== undefined) return user_id === theirs.user_id
  return !isKnown || user === theirs.user
}

export interface Pairing {
  pairs: [TheirCall, OwnedCall][]
  /** Without a call here. */
  single: TheirCall[]
}

/** Each entry gets the best call that no other has: those of the same tokens first. */
export function pair(pool: CallPool, entries: readonly TheirCall[]): Pairing {
  const pairs: Pairing['pairs'] = []
  let single = entries
  const steps = [
    (theirs: TheirCall) => pool.takeById(theirs),
    // An entry with an id is of the call with that id, or of none here.
    (theirs: TheirCall) => (theirs.request_id ? undefined : pool.takeNearest(theirs, true)),
    (theirs: TheirCall) => (theirs.request_id ? undefined : pool.takeNearest(theirs, false)),
    // Of a task the model is not read here.
    (theirs: TheirCall) => (theirs.request_id ? undefined : pool.takeNearest({ ...theirs, model: '' }, false)),
  ]
  for (const step of steps) {
    single = single.filter(theirs => {
      const owned = step(theirs)
      if (owned) pairs.push([theirs, owned])
      return !owned
    })
  }
  return { pairs, single: [...single] }
}
