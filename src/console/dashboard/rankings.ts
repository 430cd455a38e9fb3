/** Who and what spent most in a range, with names and failed attempts. */
import type { RankedRow, Ranking } from '../../../views/dashboard/view.ts'
import type { UsageBy } from '../../contracts/dashboard.ts'
import { addedUp, sumOf, type UsageSum } from '../../domain/usage/index.ts'
import { byKey, namesOf } from './names.ts'
import type { RangeUsage } from './usage.ts'

export async function rankingsOf({ models, others }: RangeUsage, rows_max: number): Promise<Ranking[]> {
  const all: [UsageBy, UsageSum[]][] = [['model', addedUp(models, ({ key }) => ({ key, period: 0 }))], ...others]
  return Promise.all(all.map(([by, sums]) => rankingOf(by, sums, rows_max)))
}

/** One row more is shown than cut off alone. */
async function rankingOf(by: UsageBy, sums: UsageSum[], rows_max: number): Promise<Ranking> {
  const sorted = sums.sort(bySpending)
  const shown = sorted.length > rows_max ? sorted.slice(0, rows_max - 1) : sorted
  const rest = sorted.slice(shown.length)
  const names = await namesOf(
    by,
    shown.map(({ key }) => key),
  )
  const rows = shown.map((row): RankedRow => ({ ...row, name: names.get(row.key) ?? '' }))
  return { by, rows, rest: { ...sumOf(rest), count: rest.length } }
}

const bySpending = (one: UsageSum, other: UsageSum) =>
  other.quota - one.quota || other.calls - one.calls || byKey(one.key, other.key)
