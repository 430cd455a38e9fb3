/** Who and what spent most in a range, with names and failed attempts. */
import type { RankedRow, Ranking } from '../../../views/dashboard/view.ts'
import type { UsageBy } from '../../contracts/dashboard.ts'
import { channelNames } from '../../domain/channels/index.ts'
import { tokenNames } from '../../domain/tokens/index.ts'
import { addedUp, failuresOf, type Span, sumOf, type UsageSum } from '../../domain/usage/index.ts'
import { userNames } from '../../domain/users/index.ts'
import type { RangeUsage } from './usage.ts'

type NamedRow = { id: number; name: string }

const namesOf: Partial<Record<UsageBy, (ids: number[]) => Promise<NamedRow[]>>> = {
  token: tokenNames,
  user: userNames,
  channel: channelNames,
}

export async function rankingsOf({ models, others }: RangeUsage, range: Span, rows_max: number): Promise<Ranking[]> {
  const all: [UsageBy, UsageSum[]][] = [['model', addedUp(models, ({ key }) => ({ key, period: 0 }))], ...others]
  return Promise.all(all.map(([by, sums]) => rankingOf(by, sums, range, rows_max)))
}

/** One row more is shown than cut off alone. */
async function rankingOf(by: UsageBy, sums: UsageSum[], range: Span, rows_max: number): Promise<Ranking> {
  const sorted = sums.sort(bySpending)
  const shown = sorted.length > rows_max ? sorted.slice(0, rows_max - 1) : sorted
  const rest = sorted.slice(shown.length)
  const ids = namesOf[by] ? shown.map(({ key }) => Number(key)) : []
  const names = new Map((ids.length ? await namesOf[by]!(ids) : []).map(({ id, name }) => [String(id), name]))
  const failures = by === 'user' || by === 'channel' ? await failuresOf(by, ids, range) : undefined
  const rows = shown.map(
    (row): RankedRow => ({
      ...row,
      name: namesOf[by] ? (names.get(row.key) ?? '') : row.key,
      failed: failures && (failures.get(Number(row.key)) ?? 0),
    }),
  )
  return { by, rows, rest: { ...sumOf(rest), count: rest.length } }
}

/** Keys are names or ids. */
const byKey = new Intl.Collator('en', { numeric: true }).compare

const bySpending = (one: UsageSum, other: UsageSum) =>
  other.quota - one.quota || other.calls - one.calls || byKey(one.key, other.key)
