/** The usage log page as its address describes it. */
import type { ReactNode } from 'react'
import { z } from 'zod'
import { logColumns } from '../../../views/logs/columns.tsx'
import { Logs } from '../../../views/logs/logs.tsx'
import { KeepFilter } from '../../../views/logs/saved-filters.tsx'
import { UserDialog } from '../../../views/logs/user-dialog.tsx'
import { filterNames, type LogsView, logsAt } from '../../../views/logs/view.ts'
import { LOGS_RANGE_DEFAULT, LOGS_RANGES, LogFilter, LogType } from '../../contracts/log.ts'
import { optional, pageOf } from '../../contracts/paging.ts'
import { channelIdIn } from '../../contracts/suggestion.ts'
import { channelNames } from '../../domain/channels/index.ts'
import {
  failuresUnder,
  findOne,
  findPage,
  type LogRow,
  type LogScope,
  newestId,
  savedFilters,
  scopeToAll,
  scopeToUser,
} from '../../domain/logs/index.ts'
import { option } from '../../domain/options/index.ts'
import { groupNames, groupOffers } from '../../domain/pricing/index.ts'
import { callsUnder, pulseOf, statOf } from '../../domain/usage/index.ts'
import { anyUser, maySee } from '../../domain/users/index.ts'
import { translator } from '../../locales/index.ts'
import { now } from '../../process/clock.ts'
import { typed } from '../../pure/time.ts'
import { cookieOf } from '../../web/request.ts'
import { hiddenColumns, type PageRequest, pagingOf, redirectPastEnd } from '../list-page.ts'
import { spanOf } from '../list-range.ts'
import { redirectTo, render } from '../page.tsx'
import { clearDialog, clearingToShow } from './clearing.tsx'
import { entriesOf, isOperator } from './entries.ts'
import { openedCall } from './opened.ts'
import { refundDialog } from './refund.tsx'

const id = z.coerce.number().int().optional().catch(undefined)
const { type, username, token_name, model_name, group, channel } = LogFilter.shape

/** An invalid filter counts as absent. */
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
  channel: z.preprocess(channelIdIn, channel).catch(undefined),
  /** Of the upstream, in the errors view. */
  status_code: z.coerce.number().int().positive().optional().catch(undefined),
  open: id,
  /** The call whose refund is open, with its entry. */
  refund: id,
  user: id,
  /** The dialog that clears the log, with its day. */
  clear: z.string().optional(),
  /** The dialog that names the filter. */
  keep: z.string().optional(),
})

export type LogsPage = PageRequest<z.output<typeof LogsQuery>>

/** @param refused a form over the list with its errors, in place of what the address opens. Status 422. */
export async function show(page: LogsPage, refused?: ReactNode): Promise<Response> {
  const { request, visit, caller, query } = page
  const view = viewOf(page)
  const t = translator(visit.language)
  const person = await personOf(page)
  if (person && !maySee(caller, person))
    return redirectTo(logsAt(view), { kind: 'error', text: t('account.cannot_read') })
  const scope = await scopeOf(page, view)
  const paging = pagingOf(page)
  const allReasons = { ...scope, status_code: undefined }
  const live = isLive(request)
  const newest = live ? await newestId() : 0
  const whole = isOperator(caller)
  const [{ rows, ...count }, stat, pulse, saved, [channel]] = await Promise.all([
    findPage(scope, paging),
    statOf(allReasons),
    pulseOf(scope),
    savedFilters(caller.id),
    whole && query.channel !== undefined ? channelNames([query.channel]) : [],
  ])
  const redirect = redirectPastEnd(paging, count.total, last => logsAt({ ...view, page: last }))
  if (redirect) return redirect
  const all = await withOpened(scope, rows, query.open ?? query.refund)
  const opened = await openedCall(page, all)
  const items = await entriesOf(all, whole, visit.language)
  const content = (
    <Logs
      view={view}
      groups={whole ? groupNames() : Object.keys(groupOffers(caller.group))}
      isOperator={whole}
      reader={caller.id}
      channel={channel}
      list={{ items, ...count, page: paging.page, page_size: paging.size }}
      stat={stat}
      failures={
        view.type === LogType.error
          ? { ...(await failuresUnder(allReasons)), calls: await callsUnder(scope) }
          : undefined
      }
      records_errors={option('LogErrorEnabled')}
      pulse={pulse}
      saved={saved}
      hidden={hiddenColumns(request, logColumns)}
      live={live}
      newest={live && isOpenEnded(scope) ? Math.max(newest, ...rows.map(row => row.id)) : undefined}
      opened={opened}
      last={items.length ? undefined : await lastMoment(scope)}
      clearing={whole ? await clearingToShow() : undefined}
      overlay={refused ?? (person ? <UserDialog view={view} person={person} /> : await overlayOf(page, view))}
    />
  )
  return render(request, visit, content, { title: t('log.title'), status: refused ? 422 : 200 })
}

/** Whether the browser's visitor wants new entries announced. */
const isLive = (request: Request) => cookieOf(request, 'log-live') === 'true'

/** Whether new entries can match. */
const isOpenEnded = ({ end_timestamp }: LogScope) => end_timestamp === undefined || end_timestamp >= now()

async function overlayOf(page: LogsPage, view: LogsView): Promise<ReactNode> {
  const { clear, keep, refund } = page.query
  if (refund !== undefined && isOperator(page.caller)) return refundDialog(page, view, refund)
  if (keep !== undefined) return <KeepFilter view={view} />
  return clear !== undefined && isOperator(page.caller) ? clearDialog(page, view, clear) : undefined
}

/** A custom range without dates starts as the default range. */
export function viewOf({ visit: { zone }, query }: LogsPage): LogsView {
  const filters = Object.fromEntries(filterNames.map(name => [name, query[name] || undefined]))
  const view = {
    ...filters,
    type: query.type,
    status_code: query.type === LogType.error ? query.status_code : undefined,
    range: query.range,
    from: query.from,
    to: query.to,
    page: pageOf({ p: query.p }, 1).page,
  }
  if (view.range !== 'custom' || view.from || view.to) return view
  const { start_timestamp = 0, end_timestamp = 0 } = spanOf({ range: LOGS_RANGE_DEFAULT }, now(), zone)
  return { ...view, from: typed(start_timestamp, zone), to: typed(end_timestamp, zone) }
}

/** The entries of a view that the caller may see. */
export async function scopeOf({ visit, caller }: LogsPage, view: LogsView): Promise<LogScope> {
  const filter = { ...view, ...spanOf(view, now(), visit.zone) }
  const scope = isOperator(caller) ? await scopeToAll(filter) : scopeToUser(filter, caller.id)
  return { ...scope, calls_only: view.type === undefined }
}

/** Adds the open entry when newer ones have pushed it off the page. */
async function withOpened(scope: LogScope, rows: LogRow[], open: number | undefined): Promise<LogRow[]> {
  if (open === undefined || rows.some(row => row.id === open)) return rows
  const row = await findOne(scope, open)
  return row ? [row, ...rows] : rows
}

/** When the newest entry outside an empty range was made. */
async function lastMoment(scope: LogScope): Promise<number | undefined> {
  const before = scope.start_timestamp && isOpenEnded(scope) ? scope.start_timestamp - 1 : undefined
  const elsewhere = { ...scope, start_timestamp: undefined, end_timestamp: before }
  const { rows } = await findPage(elsewhere, { page: 1, size: 1, offset: 0 })
  return rows[0]?.created_at
}

/** The user whose name was clicked. */
const personOf = ({ caller, query }: LogsPage) =>
  query.user !== undefined && isOperator(caller) ? anyUser(query.user) : undefined
