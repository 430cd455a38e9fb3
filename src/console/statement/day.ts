/** What the open day of a statement shows: its models and API keys, the dearest first. */
import type { DayShare, DayView } from '../../../views/statement/day.tsx'
import { usageOfDay } from '../../domain/statement/index.ts'
import { tokenNames } from '../../domain/tokens/index.ts'
import { dayStart } from '../../pure/time.ts'

/** @returns undefined for a text that is no day, and for a day without usage */
export async function dayOf(user_id: number, day: string | undefined): Promise<DayView | undefined> {
  const start = day === undefined ? undefined : dayStart(day, 'UTC')
  if (day === undefined || start === undefined) return undefined
  const rows = await usageOfDay(user_id, start)
  if (!rows.length) return undefined
  const named = new Map((await tokenNames(rows.map(row => row.token_id))).map(({ id, name }) => [id, name]))
  const models = rows.map(({ model, calls, quota }) => ({ key: model, name: model, calls, quota }))
  const keys = rows.map(({ token_id: id, calls, quota }) => ({ key: String(id), name: named.get(id), calls, quota }))
  return { day, start, models: addedUp(models), keys: addedUp(keys) }
}

function addedUp(shares: DayShare[]): DayShare[] {
  const byKey = new Map<string, DayShare>()
  for (const share of shares) {
    const { calls, quota } = byKey.get(share.key) ?? { calls: 0, quota: 0 }
    byKey.set(share.key, { ...share, calls: calls + share.calls, quota: quota + share.quota })
  }
  return [...byKey.values()].sort((one, other) => other.quota - one.quota || other.calls - one.calls)
}
