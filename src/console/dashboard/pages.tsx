/** Route of the dashboard page, as its address describes it. */
import type { ReactNode } from 'react'
import { z } from 'zod'
import { type DashboardView, dashboardAt, type ExplorerFigures, splitsFor } from '../../../views/dashboard/view.ts'
import { FirstSteps } from '../../../views/tokens/first-steps.tsx'
import { Role } from '../../contracts/account.ts'
import { DASHBOARD_PATH, DASHBOARD_RANGES, EXPLORER_SORTS, USAGE_BY, type UsageBy } from '../../contracts/dashboard.ts'
import { optional, type Paging, pageOf } from '../../contracts/paging.ts'
import { forbidden, notFound } from '../../contracts/refusal.ts'
import { option } from '../../domain/options/index.ts'
import { ownView, userNames } from '../../domain/users/index.ts'
import { translator } from '../../locales/index.ts'
import { now } from '../../process/clock.ts'
import { dateOf, GRAINS } from '../../pure/periods.ts'
import { siteOf } from '../../web/request.ts'
import { firstStepsOf } from '../first-steps.ts'
import { listPage, type PageRequest, pagingOf, redirectPastEnd } from '../list-page.ts'
import { render, renderPart, wantsPart } from '../page.tsx'
import { type Explorer, explore } from './explorer.ts'
import { exportUsage } from './export.ts'
import { figuresOf } from './figures.ts'
import { daysOf, grainsFor, lengthOf, usualRange } from './range.ts'

/** An invalid filter counts as absent. */
const DashboardQuery = z.object({
  range: z.enum(DASHBOARD_RANGES).optional().catch(undefined),
  from: optional,
  to: optional,
  by: z.enum(GRAINS).optional().catch(undefined),
  of: z
    .union([z.enum(['own', 'all']), z.coerce.number().int().positive()])
    .optional()
    .catch(undefined),
  as: z.enum(['chart', 'table']).catch('chart'),
  rows: z
    .enum([...USAGE_BY, ...GRAINS])
    .optional()
    .catch(undefined),
  split: z.enum(USAGE_BY).optional().catch(undefined),
  sort: z.enum(EXPLORER_SORTS).optional().catch(undefined),
  open: optional,
  p: optional,
})

const access = { userPage: 'signedIn', query: DashboardQuery } as const

export const dashboardPages = listPage(DASHBOARD_PATH).get('', show, access).get('/export.csv', exportCsv, access)

type DashboardPage = PageRequest<z.output<typeof DashboardQuery>>

/** Rows of a ranking beside a chart. */
const RANKED_MAX = 8
/** Rows of the explorer's second level for each of the first. */
const WITHIN_MAX = 5

async function show(page: DashboardPage): Promise<Response> {
  const { request, visit, caller } = page
  const { isOperator, view, days, grains, columns, person, user_id } = await askedOf(page)
  const { of, by, as } = view
  const scope = { user_id }
  // Drawing libraries are loaded with the first dashboard.
  const { Dashboard, DashboardBody } = await import('../../../views/dashboard/dashboard.tsx')
  const { zone } = visit
  const [figures, explorer] = await Promise.all([
    figuresOf({ scope, days, by, zone, ranked_max: as === 'table' ? 0 : RANKED_MAX }),
    as === 'table' ? explore({ scope, days, zone, view }) : undefined,
  ])
  const paging = pagingOf(page)
  const redirect = explorer && redirectPastEnd(paging, explorer.sums.length, page => dashboardAt({ ...view, page }))
  if (redirect) return redirect
  const props = {
    view,
    grains,
    columns,
    explored: explorer && (await pageOfRows(explorer, paging)),
    person: isOperator ? (person?.name ?? '') : undefined,
    figures: {
      ...figures,
      balance: of === 'own' ? figures.balance : undefined,
      username: isOperator && of === 'own' ? caller.username : person?.name,
    },
    refresh_minutes: option('DataExportInterval'),
    first: figures.sums.calls || figures.failed || person ? undefined : await firstSteps(page, isOperator),
  }
  if (wantsPart(request)) return renderPart(visit, <DashboardBody {...props} />)
  return render(request, visit, <Dashboard {...props} />, { title: translator(visit.language)('dashboard.title') })
}

async function pageOfRows(explorer: Explorer, { page, size, offset }: Paging): Promise<ExplorerFigures> {
  const groups = await explorer.groupsOf(explorer.sums.slice(offset, offset + size), WITHIN_MAX)
  return { groups, total: explorer.total, count: explorer.sums.length, page, size }
}

async function exportCsv(page: DashboardPage): Promise<Response> {
  const { view, days, user_id } = await askedOf(page)
  const { visit } = page
  return exportUsage(await explore({ scope: { user_id }, days, zone: visit.zone, view }), view, visit)
}

/** Whose usage the address asks for, and how. @throws Refusal 403 for a user who asks for others, 404 for an unknown user */
async function askedOf(page: DashboardPage) {
  const { caller } = page
  const isOperator = caller.role >= Role.admin
  const asked = viewOf(page, isOperator)
  const { of } = asked.view
  if (of !== 'own' && !isOperator) throw forbidden()
  const [person] = typeof of === 'number' ? await userNames([of]) : []
  if (typeof of === 'number' && !person) throw notFound('user.not_found')
  const user_id: number | undefined = { all: undefined, own: caller.id }[of as string] ?? person?.id
  return { ...asked, isOperator, person, user_id }
}

/** A range that the address does not name follows from the granularity, and the other way round. */
function viewOf({ query, visit: { zone } }: DashboardPage, isOperator: boolean) {
  const { from, to, as, of = isOperator ? 'all' : 'own' } = query
  const range = query.range ?? usualRange[query.by ?? option('DataExportDefaultTime')]
  const days = daysOf({ range, from, to }, now(), zone)
  const grains = grainsFor(lengthOf(days))
  const wanted = query.by ?? (query.range ? undefined : option('DataExportDefaultTime'))
  const by = grains.find(grain => grain === wanted) ?? grains[0]!
  const dates = range === 'custom' ? { from: dateOf(days.first), to: dateOf(days.last) } : {}
  const columns = columnsFor(isOperator, of)
  const rows = [...columns, ...grains].find(name => name === query.rows) ?? 'model'
  const split = splitsFor({ rows, of }, columns).find(name => name === query.split)
  const { sort, open, p } = query
  const view: DashboardView = { range, ...dates, by, of, as, rows, split, sort, open, page: pageOf({ p }, 1).page }
  return { view, days, grains, columns }
}

/** Channels are known to operators alone, and one user needs no column. */
const columnsFor = (isOperator: boolean, of: DashboardView['of']): UsageBy[] =>
  USAGE_BY.filter(by => (by === 'channel' ? isOperator : by !== 'user' || of === 'all'))

/** @returns undefined when calls have been made at another time */
async function firstSteps({ request, server, visit, caller }: DashboardPage, isOperator: boolean): Promise<ReactNode> {
  const base = visit.status.server_address || siteOf(request, server)
  const { channel, tested_ms, ...steps } = await firstStepsOf(caller)
  if (isOperator) {
    if (steps.called) return
    return <FirstSteps {...steps} channel={channel} tested_ms={tested_ms} base={base} view={{}} still />
  }
  const { request_count, quota } = await ownView(caller.id)
  if (request_count) return
  return <FirstSteps {...steps} called={false} base={base} view={{}} still ofUser unfunded={quota <= 0} />
}
