/** Routes of the audit log page and of its export. */
import { z } from 'zod'
import { AuditLog } from '../../../views/audit-log/audit-log.tsx'
import { type AuditView, auditAt } from '../../../views/audit-log/view.ts'
import { AUDIT_PATH, type AuditEntry, AuditFilter } from '../../contracts/audit-log.ts'
import { rangeFields } from '../../contracts/log.ts'
import { Id, optional, pageOf } from '../../contracts/paging.ts'
import { changeById, listChanges, walkChanges } from '../../domain/audit-log/index.ts'
import { translator } from '../../locales/index.ts'
import { now } from '../../process/clock.ts'
import { day, exact } from '../../pure/time.ts'
import { type CsvColumn, csvResponse } from '../../web/csv.ts'
import { listPage, type PageRequest, pagingOf, redirectPastEnd } from '../list-page.ts'
import { spanOf } from '../list-range.ts'
import { render } from '../page.tsx'
import { undoChanges } from './undo.ts'
import { auditItem } from './words.ts'

const { action, actor, keyword } = AuditFilter.shape

const Query = z.object({
  p: optional,
  action,
  actor,
  keyword,
  ...rangeFields,
  open: z.coerce.number().int().optional().catch(undefined),
})

type AuditPage = PageRequest<z.output<typeof Query>>

const access = { userPage: 'root', query: Query } as const

export const auditLogPages = listPage(AUDIT_PATH)
  .get('', show, access)
  .get('/export.csv', exportCsv, access)
  .post('/:id/undo', undo, { ...access, params: Id })

async function show(page: AuditPage): Promise<Response> {
  const { request, visit, query } = page
  const view = viewOf(query)
  const list = await listChanges(filterOf(page), pagingOf(page))
  const redirect = redirectPastEnd(pagingOf(page), list.total, last => auditAt({ ...view, page: last }))
  if (redirect) return redirect
  const title = translator(visit.language)('audit.title')
  const items = list.items.map(entry => auditItem(entry, visit))
  return render(request, visit, <AuditLog view={view} list={{ ...list, items }} open={query.open} />, { title })
}

async function undo(page: AuditPage & { params: { id: number } }): Promise<Response> {
  const entry = await changeById(page.params.id)
  return undoChanges(page, entry ? [entry] : [])
}

const viewOf = ({ p, open, ...filters }: AuditPage['query']): AuditView => ({ ...filters, page: pageOf({ p }, 1).page })

const filterOf = ({ query: { range, from, to, ...filters }, visit: { zone } }: AuditPage): AuditFilter => ({
  ...filters,
  ...spanOf({ range, from, to }, now(), zone),
})

async function exportCsv(page: AuditPage): Promise<Response> {
  const { language, zone } = page.visit
  const t = translator(language)
  const columns: CsvColumn<AuditEntry>[] = [
    { head: t('audit.time'), cell: entry => exact(entry.created_time, zone) },
    { head: t('audit.actor'), cell: entry => entry.actor_name },
    { head: t('audit.action'), cell: entry => entry.action },
    { head: t('audit.kind'), cell: entry => entry.target_kind },
    { head: t('audit.target_id'), cell: entry => entry.target_id },
    { head: t('audit.target'), cell: entry => entry.target_name },
    { head: t('audit.before'), cell: entry => JSON.stringify(entry.before) },
    { head: t('audit.after'), cell: entry => JSON.stringify(entry.after) },
    { head: t('audit.address'), cell: entry => entry.address },
    { head: t('audit.request'), cell: entry => entry.request_id },
  ]
  return csvResponse({
    user_id: page.caller.id,
    name: `audit-${day(now(), zone)}`,
    columns,
    batches: walkChanges(filterOf(page)),
  })
}
