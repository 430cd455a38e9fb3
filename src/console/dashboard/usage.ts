/** Usage of a range, by everything that a dashboard shows. */
import type { UsageBy } from '../../contracts/dashboard.ts'
import {
  addedUp,
  type Span,
  type UsageScope,
  type UsageSum,
  usageOfSite,
  usageOfUser,
} from '../../domain/usage/index.ts'

export interface RangeUsage {
  /** By model and period. */
  models: UsageSum[]
  /** Each over the whole range. */
  others: [UsageBy, UsageSum[]][]
}

type Periods = Parameters<typeof usageOfSite>[2]

/** @param isRanked also by what else the rankings of a chart show */
export async function usageOf(
  { user_id }: UsageScope,
  range: Span,
  periods: Periods,
  isRanked: boolean,
): Promise<RangeUsage> {
  if (user_id !== undefined) return ofUser(user_id, range, periods)
  return isRanked ? ofSite(range, periods) : { models: await usageOfSite('model', range, periods), others: [] }
}

async function ofSite(range: Span, periods: Periods): Promise<RangeUsage> {
  const [models, users, channels, groups] = await Promise.all([
    usageOfSite('model', range, periods),
    usageOfSite('user', range),
    usageOfSite('channel', range),
    usageOfSite('group', range),
  ])
  return {
    models,
    others: [
      ['user', users],
      ['channel', channels],
      ['group', groups],
    ],
  }
}

async function ofUser(user_id: number, range: Span, periods: Periods): Promise<RangeUsage> {
  const rows = await usageOfUser(user_id, ['model', 'token', 'group'], range, periods)
  return {
    models: addedUp(rows, ({ model, period }) => ({ key: model, period })),
    others: [
      ['token', addedUp(rows, ({ token }) => ({ key: token, period: 0 }))],
      ['group', addedUp(rows, ({ group }) => ({ key: group, period: 0 }))],
    ],
  }
}
