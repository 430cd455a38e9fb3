/** Makes the choices of a recorded call again, by the rule that calls are served by. */
import type { CallRecord } from '../../../contracts/call-record.ts'
import { drawFrom } from './order.ts'

/** @returns the ids of the channels, in the order in which they are chosen */
export function replay({ candidates, picks }: Pick<CallRecord, 'candidates' | 'picks'>): number[] {
  const all = candidates.map((channel, at) => ({ channel, at }))
  let left = all.filter(({ channel }) => channel.exclusion === undefined)
  return picks.map(({ draw, chosen, closed }) => {
    const open = left.filter(({ at }) => !closed.some(one => one.at === at))
    const drawn = draw === undefined ? all[chosen]! : drawFrom(open, draw)
    left = left.filter(one => one !== drawn)
    return drawn.channel.id
  })
}
