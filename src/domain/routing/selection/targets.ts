/** The targets of a call: its candidates in their order, each with its keys. */
import { store } from '../../../process/stores.ts'
import { allowsCall, allowsTrial } from '../health/outcome.ts'
import type { RoutedChannel } from '../routed-channel.ts'
import type { Candidate, Target } from '../target.ts'
import { type ApiQuery, apiByKey } from './choose-api.ts'
import { type Choosing, inOrder } from './order.ts'
import { inOwnOrder } from './own-order.ts'

/** Yields each candidate with each of its usable keys. When all circuits are open, yields at most one trial. */
export function* targetsOf(
  candidates: readonly Candidate[],
  call: ApiQuery,
  choosing: Choosing = {},
): Generator<Target> {
  const { conversation, onChoice } = choosing
  const { model } = call.facts
  let any_closed = false
  for (const candidate of inOrder(candidates, call, choosing)) {
    const { channel } = candidate
    for (const key of rotatedKeys(channel, conversation)) {
      const api = allowsCall({ channel, key, model }) && apiByKey(candidate, key, call)
      if (!api) continue
      any_closed = true
      yield { channel, api, key, model }
    }
  }
  if (any_closed) return
  const trial = trialOf(candidates, call)
  if (!trial) return
  if (candidates.length > 1) onChoice?.({ chosen: trial.channel, closed: [] })
  yield trial
}

/** The one target that a call tries when all circuits are open. @returns undefined while none may be tried */
export function trialOf(candidates: readonly Candidate[], call: ApiQuery): Target | undefined {
  for (const target of withKeys(candidates, call.facts.model)) {
    const api = allowsTrial(target) && apiByKey(target, target.key, call)
    if (api) return { ...target, api }
  }
}

/** Every candidate with each of its enabled keys, for this model. */
export const withKeys = (candidates: readonly Candidate[], model: string): Target[] =>
  candidates.flatMap(candidate => candidate.channel.good_keys.map(key => ({ ...candidate, key, model })))

/** How often the keys of a channel have rotated, by channel id. */
const rotations = store('key-rotations', new Map<number, number>())

function rotatedKeys({ id, good_keys }: RoutedChannel, conversation: number | undefined): string[] {
  if (good_keys.length < 2) return good_keys
  if (conversation !== undefined) return inOwnOrder(good_keys, conversation, key => ({ name: key, weight: 1 }))
  const rotation = rotations.get(id) ?? 0
  rotations.set(id, rotation + 1)
  const start = rotation % good_keys.length
  return [...good_keys.slice(start), ...good_keys.slice(0, start)]
}
