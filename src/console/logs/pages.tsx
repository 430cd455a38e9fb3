/** Routes of the usage log page, its export, its choice of columns and its clearing. */
import { z } from 'zod'
import { Clearing } from '../../../views/logs/clearing.tsx'
import { logColumns } from '../../../views/logs/columns.tsx'
import { NewEntries } from '../../../views/logs/live.tsx'
import { KeepFilter } from '../../../views/logs/saved-filters.tsx'
import { logsAt, queryOf } from '../../../views/logs/view.ts'
import { balanceText, quotaText, toQuota } from '../../billing/quota.ts'
import { CallRefund } from '../../contracts/call-refund.ts'
import { numberOf } from '../../contracts/fields.ts'
import { LOGS_PATH, NewFilter } from '../../contracts/log.ts'
import { Id } from '../../contracts/paging.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { refundCall } from '../../domain/account/index.ts'
import { countNewer, deleteFilter, lastClearing, saveFilter, startClearing } from '../../domain/logs/index.ts'
import { dayStart } from '../../pure/time.ts'
import { errorsOf } from '../../web/forms.ts'
import { act, back, idempotent, listPage, openAt, type PageRequest } from '../list-page.ts'
import { redirectTo, renderPart, wantsPart } from '../page.tsx'
import { clearDialog } from './clearing.tsx'
import { isOperator } from './entries.ts'
import { exportLogs } from './export.ts'
import { RefundForm, refundDialog } from './refund.tsx'
import { type LogsPage, LogsQuery, scopeOf, show, viewOf } from './show.tsx'

const access = { userPage: 'signedIn', query: LogsQuery } as const

const NewQuery = LogsQuery.extend({ after: Id.shape.id.catch(0) })

const forOperators = { ...access, userPage: 'admin' } as const

export const logPages = listPage(LOGS_PATH, logColumns)
  .get('', page => show(page), access)
  .get('/export.csv', exportCsv, access)
  .get('/new', showNew, { ...access, query: NewQuery })
  .get('/clearing', showClearing, forOperators)
  .post('/clear', clear, forOperators)
  .post('/:id/refund', refund, { ...forOperators, params: Id })
  .post('/filters', keepFilter, access)
  .post('/filters/:id/delete', dropFilter, { ...access, params: Id })

/** The number of new entries alone; the whole page for a browser that does not poll. */
async function showNew(page: PageRequest<z.output<typeof NewQuery>>): Promise<Response> {
  const { request, visit, query } = page
  const view = viewOf(page)
  if (!wantsPart(request)) return redirectTo(logsAt(view))
  const count = await countNewer(await scopeOf(page, view), query.after)
  return renderPart(visit, <NewEntries view={view} newest={query.after} count={count} />)
}

const ClearForm = z.object({ day: z.string().default('') })

/** Starts the clearing of the day that was counted. */
async function clear(page: LogsPage): Promise<Response> {
  const { day } = ClearForm.parse(page.body)
  const before = dayStart(day, page.visit.zone)
  if (before === undefined) {
    const view = viewOf(page)
    const opened = openAt(page, { clear: '' }, logsAt(view, 'clear'))
    return show(opened, await clearDialog(opened, view, day || NO_DAY))
  }
  return act(page, async () => {
    await startClearing(before, page.actor)
    return redirectTo(logsAt({}))
  })
}

/** Shows the dialog with its error: an empty day would be a month ago. */
const NO_DAY = '-'

/** The progress alone; the whole page for a browser that does not poll. */
async function showClearing({ request, visit }: LogsPage): Promise<Response> {
  const clearing = await lastClearing()
  if (!clearing || !wantsPart(request)) return redirectTo(logsAt({}))
  return renderPart(visit, <Clearing clearing={clearing} />)
}

/** The wallet knows no field: what it refuses is shown at the amount. */
async function refund(page: LogsPage & { params: { id: number } }): Promise<Response> {
  const { actor, visit, params } = page
  const { status, language } = visit
  const form = RefundForm.parse(page.body)
  return act(page, async () => {
    try {
      const quota = toQuota(numberOf(form.amount), status)
      const body = CallRefund.parse({ quota, remark: form.remark })
      const { username, balance } = await idempotent(page, form, key => refundCall(actor, params.id, body, key))
      const shown = { name: username, amount: quotaText(quota, status, 6), balance: balanceText(balance, status) }
      return back(page, 'log.refund_quota_done', shown)
    } catch (error) {
      const isOfWallet = error instanceof Refusal && error.code.startsWith('wallet.')
      const named = isOfWallet ? new Refusal(error.code, error.params, error.status, 'quota') : error
      const { quota, ...others } = errorsOf(named, language)
      const errors = { ...others, ...(quota && { amount: quota }) }
      const view = viewOf(page)
      const opened = openAt(page, { refund: params.id }, logsAt(view, { refund: params.id }))
      return show(opened, await refundDialog(opened, view, params.id, form, errors))
    }
  })
}

const FilterForm = z.object({ name: z.string().default(''), query: z.string().default('') })

/** Keeps the filters of the address that the form carries, and nothing else that stands in it. */
async function keepFilter(page: LogsPage): Promise<Response> {
  const form = FilterForm.parse(page.body)
  const kept = { ...page, query: LogsQuery.parse(Object.fromEntries(new URLSearchParams(form.query))) }
  const view = viewOf(kept)
  try {
    const { name } = NewFilter.parse(form)
    await saveFilter(page.caller.id, { name, query: queryOf(view) })
    return back(page, 'log.filter_saved', { name })
  } catch (error) {
    const errors = errorsOf(error, page.visit.language)
    return show(openAt(kept, {}, logsAt(view, 'keep')), <KeepFilter view={view} name={form.name} errors={errors} />)
  }
}

async function dropFilter(page: LogsPage & { params: { id: number } }): Promise<Response> {
  const { caller, params } = page
  return await act(page, async () =>
    back(page, 'log.filter_deleted', { name: await deleteFilter(caller.id, params.id) }),
  )
}

async function exportCsv(page: LogsPage): Promise<Response> {
  return exportLogs(await scopeOf(page, viewOf(page)), page.visit, isOperator(page.caller))
}
