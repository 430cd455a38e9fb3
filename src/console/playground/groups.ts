/** Groups that the playground offers a user. */
import type { PlaygroundGroup } from '../../contracts/playground.ts'
import { groupOffers } from '../../domain/pricing/index.ts'

/** The user's own group first. */
export const groupsOf = (group: string): PlaygroundGroup[] =>
  Object.entries(groupOffers(group))
    .map(([name, offer]) => ({ name, ...offer }))
    .sort((a, b) => Number(b.name === group) - Number(a.name === group))
