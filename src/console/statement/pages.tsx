/** Routes of the statement page of a user, the same for administrators, and their CSV files. */
import { Elysia } from 'elysia'
import { z } from 'zod'
import { StatementPage } from '../../../views/statement/statement.tsx'
import type { StatementView } from '../../../views/statement/view.ts'
import { Role, type SessionUser } from '../../contracts/account.ts'
import { Id, optional } from '../../contracts/paging.ts'
import {
  STATEMENT_PATH,
  StatementKindFilter,
  StatementMonthFilter,
  statementPathOf,
} from '../../contracts/statement.ts'
import { USERS_PATH } from '../../contracts/user.ts'
import type { Visit } from '../../contracts/visit.ts'
import { type StatementPeriod, statementOf } from '../../domain/statement/index.ts'
import { viewFor } from '../../domain/users/index.ts'
import { translator } from '../../locales/index.ts'
import { now } from '../../process/clock.ts'
import { monthOf } from '../../pure/month.ts'
import { guard } from '../guard.ts'
import { render } from '../page.tsx'
import { dayOf } from './day.ts'
import { exportStatement } from './export.ts'
import { ofKind, withoutActor } from './period.ts'

/** An invalid filter counts as absent. */
const Query = z.object({
  month: StatementMonthFilter.catch(undefined),
  kind: StatementKindFilter.catch(undefined),
  /** The open day. */
  day: optional,
  /** Of an export: the whole year of the month. */
  year: z.string().optional(),
})

interface StatementRequest {
  request: Request
  visit: Visit
  caller: SessionUser
  query: z.output<typeof Query>
}

/** Whose statement is read, at which address; `name` is present for an administrator. */
interface Subject {
  user_id: number
  path: string
  name?: string
}

const own = { userPage: 'signedIn', query: Query } as const
const ofUser = { userPage: 'admin', query: Query, params: Id } as const
const USER_PATH = `${USERS_PATH}/:id/statement` as const

export const statementPages = new Elysia()
  .use(guard)
  .get(STATEMENT_PATH, page => show(page, ownSubject(page)), own)
  .get(`${STATEMENT_PATH}/export.csv`, page => exportCsv(page, ownSubject(page)), own)
  .get(USER_PATH, async page => show(page, await userSubject(page)), ofUser)
  .get(`${USER_PATH}/export.csv`, async page => exportCsv(page, await userSubject(page)), ofUser)

const ownSubject = ({ caller }: StatementRequest): Subject => ({ user_id: caller.id, path: STATEMENT_PATH })

/** @throws Refusal 403 for a user whom the caller may not see, 404 */
async function userSubject({ caller, params }: StatementRequest & { params: { id: number } }): Promise<Subject> {
  const { id, username } = await viewFor(caller, params.id)
  return { user_id: id, path: statementPathOf(id), name: username }
}

const viewOf = ({ query: { month = monthOf(now()), kind } }: StatementRequest): StatementView => ({ month, kind })

async function show(page: StatementRequest, { user_id, path, name }: Subject): Promise<Response> {
  const { request, visit, caller } = page
  const view = viewOf(page)
  const { months, rows } = await statementOf(user_id, { first: view.month, last: view.month })
  const shown = ofKind(rows, view.kind)
  const day = await dayOf(user_id, page.query.day)
  const username = caller.role >= Role.admin ? (name ?? caller.username) : undefined
  const content = (
    <StatementPage
      path={path}
      view={view}
      present={monthOf(now())}
      name={name}
      holder={name ?? page.caller.username}
      site={visit.status.system_name}
      sums={months[0]!}
      rows={name === undefined ? shown.map(withoutActor) : shown}
      opened={day && { ...day, username }}
    />
  )
  const t = translator(visit.language)
  const title = name === undefined ? t('statement.title') : t('statement.title_of', { name })
  return render(request, visit, content, { title })
}

async function exportCsv(page: StatementRequest, { user_id, name }: Subject): Promise<Response> {
  const { month, kind } = viewOf(page)
  const [year] = month.split('-')
  const isYear = page.query.year !== undefined
  const period: StatementPeriod = isYear ? { first: `${year}-01`, last: `${year}-12` } : { first: month, last: month }
  const { rows } = await statementOf(user_id, period)
  const file = ['statement', name, isYear ? year : month].filter(Boolean).join('-')
  return exportStatement(file, ofKind(rows, kind), page.visit, name !== undefined)
}
