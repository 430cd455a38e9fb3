/** What is read of the open entry alone: its refunds, and the call to make again. */
import type { OpenedCall } from '../../../views/logs/entry.ts'
import { playgroundAt } from '../../../views/playground/view.ts'
import { callAt } from '../../contracts/call-record.ts'
import { detailsOf } from '../../contracts/log.ts'
import { refundsOf } from '../../domain/account/index.ts'
import { hasRecord, type LogRow } from '../../domain/logs/index.ts'
import { siteOf } from '../../web/request.ts'
import { asCurl, isChat } from './as-curl.ts'
import { isOperator } from './entries.ts'
import { mayRefund } from './refund.tsx'
import type { LogsPage } from './show.tsx'

/** @param rows with the open entry */
export async function openedCall(page: LogsPage, rows: LogRow[]): Promise<OpenedCall | undefined> {
  const { caller, query, visit, request, server } = page
  const id = query.open ?? query.refund
  const row = rows.find(row => row.id === id)
  if (!row) return undefined
  const details = detailsOf(row)
  const { group, model_name: model } = row
  return {
    id: row.id,
    refunds: await refundsOf(row),
    may_refund: await mayRefund(caller, row),
    curl: asCurl({ ...row, channel_name: '' }, details, visit.status.server_address || siteOf(request, server)),
    page: row.request_id && (await hasRecord(row.request_id)) ? callAt(row.request_id, isOperator(caller)) : undefined,
    playground: model && isChat(details) ? playgroundAt({ group, model, call: row.id }) : undefined,
  }
}
