/** Rows of the usage explorer: of one column or of periods, sorted, and divided by a second column. */
import { isGrain, nameOf } from '../../../views/dashboard/labels.ts'
import {
  type DashboardView,
  type ExplorerGroup,
  type ExplorerRow,
  hitRate,
  sortOf,
} from '../../../views/dashboard/view.ts'
import type { ExplorerColumn, UsageBy, UsageSums } from '../../contracts/dashboard.ts'
import {
  addedUp,
  type Span,
  sumOf,
  type UsageScope,
  type UsageSum,
  type UserColumn,
  usageOfSite,
  usageOfUser,
  usageWithin,
} from '../../domain/usage/index.ts'
import { now } from '../../process/clock.ts'
import { firstHourOf, type Grain, startsOf } from '../../pure/periods.ts'
import { exact, type Zone } from '../../pure/time.ts'
import { byKey, namesOf, ownersOf } from './names.ts'
import type { Days } from './range.ts'

interface ExplorerQuery {
  scope: UsageScope
  days: Days
  zone: Zone
  view: Pick<DashboardView, 'rows' | 'split' | 'sort' | 'open'>
}

/** Sums of the first level, and those of the second one for some of its keys. */
interface LevelSums {
  sums: UsageSum[]
  within: (keys: string[]) => Promise<Map<string, UsageSum[]>>
}

export interface Explorer {
  total: UsageSums
  /** Of the first level, sorted. */
  sums: UsageSum[]
  /** Some of them with their names and second level. @param within_max rows of the second level, but for the open row */
  groupsOf: (sums: UsageSum[], within_max: number) => Promise<ExplorerGroup[]>
}

/** The open row has at most so many on the second level. */
const OPEN_MAX = 500

export async function explore(query: ExplorerQuery): Promise<Explorer> {
  const { scope, days, zone, view } = query
  const range = { from: firstHourOf(days.first, zone), until: firstHourOf(days.last + 1, zone) }
  const periods = isGrain(view.rows) ? periodsOf(view.rows, days, zone, range) : undefined
  const { sums, within } =
    scope.user_id === undefined ? await ofSite(view, range, periods) : await ofUser(scope.user_id, view, range, periods)
  const shown = periods ? withEmpty(periods, sums) : sums
  const isOfSite = scope.user_id === undefined
  const order = await orderOf(view, shown)
  return {
    total: sumOf(sums),
    sums: shown.sort(order),
    async groupsOf(some, within_max) {
      const keys = some.map(({ key }) => key)
      const [names, owners, inner] = await Promise.all([
        isGrain(view.rows) ? undefined : namesOf(view.rows, keys),
        isOfSite && view.rows === 'token' ? ownersOf(keys) : undefined,
        view.split ? within(keys) : undefined,
      ])
      const cut = some.map(sum => ({
        sum,
        ...cutAfter((inner?.get(sum.key) ?? []).sort(bySort(view)), view.open === sum.key ? OPEN_MAX : within_max),
      }))
      const innerKeys = [...new Set(cut.flatMap(({ rows }) => rows.map(({ key }) => key)))]
      const [innerNames, innerOwners] = await Promise.all([
        view.split ? namesOf(view.split, innerKeys) : undefined,
        isOfSite && view.split === 'token' && view.rows !== 'user' ? ownersOf(innerKeys) : undefined,
      ])
      return cut.map(({ sum, rows, rest }): ExplorerGroup => {
        const period = periods?.get(sum.key)
        return {
          ...rowOf(sum, names, owners),
          ...(period && { name: nameOf(period, view.rows as Grain), span: period }),
          within: rows.map(row => rowOf(row, innerNames, innerOwners)),
          rest: { ...sumOf(rest), count: rest.length },
        }
      })
    },
  }
}

type Names = Map<string, string> | undefined

const rowOf = (sum: UsageSum, names: Names, owners: Names): ExplorerRow => ({
  ...sum,
  name: names?.get(sum.key) ?? '',
  owner: owners?.get(sum.key),
})

/** One row more is shown than cut off alone. */
function cutAfter(rows: UsageSum[], max: number) {
  const shown = rows.length > max + 1 ? max : rows.length
  return { rows: rows.slice(0, shown), rest: rows.slice(shown) }
}

interface Period {
  start: number
  end: number
  /** In the reader's zone. */
  from: string
  until: string
}

/** Periods that have begun, by their starts. */
function periodsOf(grain: Grain, { first, last }: Days, zone: Zone, { until }: Span): Map<string, Period> {
  const edges = [...startsOf(grain, zone, first, last), until]
  const local = (at: number) => exact(at, zone).slice(0, 'yyyy-mm-dd hh:mm'.length)
  const periods = edges.slice(0, -1).map((start, index): Period => {
    const end = edges[index + 1]!
    return { start, end, from: local(start), until: local(end) }
  })
  return new Map(periods.filter(({ start }) => start <= now()).map(period => [String(period.start), period]))
}

const withEmpty = (periods: Map<string, Period>, sums: UsageSum[]): UsageSum[] => {
  const found = new Map(sums.map(sum => [sum.key, sum]))
  return [...periods.keys()].map(key => found.get(key) ?? { key, period: 0, ...sumOf([]) })
}

type LevelChoice = Pick<DashboardView, 'rows' | 'split'>
type Periods = Map<string, Period> | undefined

async function ofUser(
  user_id: number,
  { rows, split }: LevelChoice,
  range: Span,
  periods: Periods,
): Promise<LevelSums> {
  const by = isGrain(rows) ? undefined : (rows as UserColumn)
  const columns = [by, split as UserColumn | undefined].filter(column => column !== undefined)
  const starts = periods && [...periods.values()].map(({ start }) => start)
  const found = await usageOfUser(user_id, columns, range, starts)
  return bothLevels(
    found,
    row => (by ? row[by] : String(starts![row.period])),
    row => row[split as UserColumn],
  )
}

/** Of pairs of columns those of the shown rows are read. Of periods all are: their sums by one column are kept. */
async function ofSite({ rows, split }: LevelChoice, range: Span, periods: Periods): Promise<LevelSums> {
  if (!isGrain(rows))
    return {
      sums: await usageOfSite(rows, range),
      within: keys => usageWithin({ by: rows, keys, split: split! }, range),
    }
  const starts = [...periods!.values()].map(({ start }) => start)
  const keyOf = ({ period }: UsageSum) => String(starts[period])
  // There are the fewest groups.
  const sums = addedUp(await usageOfSite('group', range, starts), row => ({ key: keyOf(row), period: 0 }))
  return {
    sums,
    async within(keys) {
      const found = Map.groupBy(await usageOfSite(split!, range, starts), ({ period }) => period)
      return new Map(keys.map(key => [key, found.get(starts.indexOf(Number(key))) ?? []]))
    },
  }
}

/** Sums by an outer key, divided by an inner one. */
function bothLevels<Row extends UsageSums>(
  found: Row[],
  outer: (row: Row) => string,
  inner: (row: Row) => string,
): LevelSums {
  return {
    sums: addedUp(found, row => ({ key: outer(row), period: 0 })),
    async within(keys) {
      const wanted = new Set(keys)
      const groups = Map.groupBy(
        found.filter(row => wanted.has(outer(row))),
        outer,
      )
      return new Map(
        groups.entries().map(([key, rows]) => [key, addedUp(rows, row => ({ key: inner(row), period: 0 }))] as const),
      )
    },
  }
}

const figureOf: Record<Exclude<ExplorerColumn, 'name'>, (sums: UsageSums) => number> = {
  calls: ({ calls }) => calls,
  failed: ({ failed }) => failed,
  input: ({ prompt_tokens }) => prompt_tokens,
  cached: ({ cache_read_tokens }) => cache_read_tokens,
  hit: hitRate,
  output: ({ completion_tokens }) => completion_tokens,
  cost: ({ quota }) => quota,
}

type Order = (one: UsageSum, other: UsageSum) => number

/** The most first, names from the first letter; reversed by a minus. */
function bySort(view: ExplorerQuery['view'], names?: Map<string, string>): Order {
  const sort = sortOf(view)
  const column = sort.replace('-', '') as ExplorerColumn
  const sign = sort === column ? 1 : -1
  const name = ({ key }: UsageSum) => names?.get(key) ?? key
  if (column === 'name') return (one, other) => sign * byKey(name(one), name(other)) || byKey(one.key, other.key)
  const value = figureOf[column]
  return (one, other) => sign * (value(other) - value(one)) || byKey(one.key, other.key)
}

/** Only an order by names needs all of them. */
async function orderOf(view: ExplorerQuery['view'], sums: UsageSum[]): Promise<Order> {
  if (isGrain(view.rows) || sortOf(view).replace('-', '') !== 'name') return bySort(view)
  return bySort(
    view,
    await namesOf(
      view.rows satisfies UsageBy,
      sums.map(({ key }) => key),
    ),
  )
}
