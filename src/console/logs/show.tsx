/** The usage log as its address describes it. */
import { z } from 'zod'
import { Logs } from '../../../views/logs/logs.tsx'
import { Person } from '../../../views/logs/person.tsx'
import { filterNames, type LogsView, logsAt } from '../../../views/logs/view.ts'
import { Role, type SessionUser } from '../../contracts/account.ts'
import { LOGS_RANGE_DEFAULT, LOGS_RANGES, LogFilter } from '../../contracts/log.ts'
import { optional, pageOf } from '../../contracts/paging.ts'
import type { Visit } from '../../contracts/visit.ts'
import { channelNames } from '../../domain/channels/index.ts'
import type { LogRow } from '../../domain/logs/index.ts'
import { findOne, findPage, type LogScope, scopeToAll, scopeToUser } from '../../domain/logs/index.ts'
import { groupNames, groupOffers } from '../../domain/pricing/index.ts'
import { statOf } from '../../domain/usage/index.ts'
import { anyUser, maySee } from '../../domain/users/index.ts'
import { translator } from '../../locales/index.ts'
import { now } from '../../process/clock.ts'
import { commaList } from '../../pure/lists.ts'
import { lastPage } from '../../pure/paging.ts'
import { cookieOf } from '../../web/request.ts'
import { redirectTo, render } from '../page.tsx'
import { entriesOf } from './entries.ts'
import { spanOf, typed } from './range.ts'

const id = z.coerce.number().int().optional().catch(undefined)
const { type, username, token_name, model_name, group, channel } = LogFilter.shape

/** What an address of the page can say; what makes no sense is not said. */
export const LogsQuery = z.object({
  p: optional,
  range: z.enum(LOGS_RANGES).catch(LOGS_RANGE_DEFAULT),
  from: optional,
  to: optional,
  type: type.catch(undefined),
  username: username.catch(undefined),
  token_name: token_name.catch(undefined),
  model_name: model_name.catch(undefined),
  group: group.catch(undefined),
  channel: channel.catch(undefined),
  open: id,
  user: id,
})

export interface Asked {
  request: Request
  visit: Visit
  caller: SessionUser
  query: z.output<typeof LogsQuery>
}

export const COLUMNS_COOKIE = 'log-columns'

export const seesAll = ({ role }: SessionUser) => role >= Role.admin

export async function show(asked: Asked): Promise<Response> {
  const { request, visit, caller, query } = asked
  const view = viewOf(asked)
  const t = translator(visit.language)
  const person = await personOf(asked)
  if (person && !maySee(caller, person))
    return redirectTo(logsAt(view), { kind: 'error', text: t('account.cannot_read') })
  const sought = await soughtBy(asked, view)
  const page = pageOf({ p: query.p, size: String(visit.page_size) }, 1)
  const [{ rows, ...counted }, stat] = await Promise.all([findPage(sought, page), statOf(sought)])
  const last = lastPage(page.size, counted.total)
  if (page.page > last) return redirectTo(logsAt({ ...view, page: last }))
  const isWhole = seesAll(caller)
  const items = await entriesOf(await withOpened(sought, rows, query.open), isWhole)
  const part = (
    <Logs
      view={view}
      groups={isWhole ? groupNames() : Object.keys(groupOffers(caller.group))}
      channels={isWhole ? await channelNames() : undefined}
      list={{ items, ...counted, page: page.page, page_size: page.size }}
      stat={stat}
      hidden={commaList(cookieOf(request, COLUMNS_COOKIE) ?? '')}
      open={query.open}
      last={items.length ? undefined : await lastMoment(sought)}
      over={person && <Person view={view} person={person} />}
    />
  )
  return render(request, visit, part, { title: t('log.title') })
}

/** A range of one's own begins as the usual one. */
export function viewOf({ visit: { zone }, query }: Asked): LogsView {
  const filters = Object.fromEntries(filterNames.map(name => [name, query[name] || undefined]))
  const view = { ...filters, range: query.range, from: query.from, to: query.to, page: pageOf({ p: query.p }, 1).page }
  if (view.range !== 'custom' || view.from || view.to) return view
  const { start_timestamp = 0, end_timestamp = 0 } = spanOf({ range: LOGS_RANGE_DEFAULT }, now(), zone)
  return { ...view, from: typed(start_timestamp, zone), to: typed(end_timestamp, zone) }
}

/** What a view means for the one who asks. */
export function soughtBy({ visit, caller }: Asked, view: LogsView): Promise<LogScope> | LogScope {
  const filter = { ...view, ...spanOf(view, now(), visit.zone) }
  return seesAll(caller) ? scopeToAll(filter) : scopeToUser(filter, caller.id)
}

/** The entry that is open stays in sight when newer ones have pushed it off the page. */
async function withOpened(sought: LogScope, rows: LogRow[], open: number | undefined): Promise<LogRow[]> {
  if (open === undefined || rows.some(row => row.id === open)) return rows
  const row = await findOne(sought, open)
  return row ? [row, ...rows] : rows
}

async function lastMoment(sought: LogScope): Promise<number | undefined> {
  const everMatching = { ...sought, start_timestamp: undefined, end_timestamp: undefined }
  const { rows } = await findPage(everMatching, { page: 1, size: 1, offset: 0 })
  return rows[0]?.created_at
}

/** Whose name was clicked. */
const personOf = ({ caller, query }: Asked) =>
  query.user !== undefined && seesAll(caller) ? anyUser(query.user) : undefined
