/** Route of the dashboard page, as its address describes it. */
import type { ReactNode } from 'react'
import { z } from 'zod'
import type { DashboardView } from '../../../views/dashboard/view.ts'
import { FirstSteps } from '../../../views/tokens/first-steps.tsx'
import { Role } from '../../contracts/account.ts'
import { DASHBOARD_PATH, DASHBOARD_RANGES } from '../../contracts/dashboard.ts'
import { optional } from '../../contracts/paging.ts'
import { forbidden, notFound } from '../../contracts/refusal.ts'
import { option } from '../../domain/options/index.ts'
import { ownView, userNames } from '../../domain/users/index.ts'
import { translator } from '../../locales/index.ts'
import { now } from '../../process/clock.ts'
import { dateOf, GRAINS } from '../../pure/periods.ts'
import { siteOf } from '../../web/request.ts'
import { firstStepsOf } from '../first-steps.ts'
import { listPage, type PageRequest } from '../list-page.ts'
import { render, renderPart, wantsPart } from '../page.tsx'
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
})

export const dashboardPages = listPage(DASHBOARD_PATH).get('', show, { userPage: 'signedIn', query: DashboardQuery })

type DashboardPage = PageRequest<z.output<typeof DashboardQuery>>

/** Rows of a ranking beside a chart, and in a table. */
const RANKED_MAX = { chart: 8, table: 50 }

/** @throws Refusal 403 for a user who asks for the usage of others, 404 for an unknown user */
async function show(page: DashboardPage): Promise<Response> {
  const { request, visit, caller } = page
  const isOperator = caller.role >= Role.admin
  const { view, days, grains } = viewOf(page, isOperator)
  const { of, by, as } = view
  if (of !== 'own' && !isOperator) throw forbidden()
  const [person] = typeof of === 'number' ? await userNames([of]) : []
  if (typeof of === 'number' && !person) throw notFound('user.not_found')

  const user_id = { all: undefined, own: caller.id }[of as string] ?? person?.id
  // Drawing libraries are loaded with the first dashboard.
  const { Dashboard, DashboardBody } = await import('../../../views/dashboard/dashboard.tsx')
  const figures = await figuresOf({ scope: { user_id }, days, by, zone: visit.zone, ranked_max: RANKED_MAX[as] })
  const props = {
    view,
    grains,
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

/** A range that the address does not name follows from the granularity, and the other way round. */
function viewOf({ query, visit: { zone } }: DashboardPage, isOperator: boolean) {
  const { from, to, as, of = isOperator ? 'all' : 'own' } = query
  const range = query.range ?? usualRange[query.by ?? option('DataExportDefaultTime')]
  const days = daysOf({ range, from, to }, now(), zone)
  const grains = grainsFor(lengthOf(days))
  const wanted = query.by ?? (query.range ? undefined : option('DataExportDefaultTime'))
  const by = grains.find(grain => grain === wanted) ?? grains[0]!
  const dates = range === 'custom' ? { from: dateOf(days.first), to: dateOf(days.last) } : {}
  const view: DashboardView = { range, ...dates, by, of, as }
  return { view, days, grains }
}

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
