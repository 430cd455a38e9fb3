/** Routes of a call's page: any call for administrators, the own ones without channels for users. */
import { z } from 'zod'
import { CallPage, NoCall } from '../../../views/logs/call.tsx'
import { ADMIN_CALLS_PATH, CALLS_PATH } from '../../contracts/call-record.ts'
import { findRecord } from '../../domain/logs/index.ts'
import { translator } from '../../locales/index.ts'
import { listPage, type PageRequest } from '../list-page.ts'
import { render } from '../page.tsx'
import { callView } from './call.ts'

const REQUEST_ID_MAX = 128

const CallId = z.object({ request_id: z.string().max(REQUEST_ID_MAX) })

type CallRequest = PageRequest & { params: { request_id: string } }

export const adminCallPages = listPage(ADMIN_CALLS_PATH).get('/:request_id', page => show(page, true), {
  userPage: 'admin',
  params: CallId,
})

export const callPages = listPage(CALLS_PATH).get('/:request_id', page => show(page, false), {
  userPage: 'signedIn',
  params: CallId,
})

async function show({ request, visit, caller, params }: CallRequest, isOperator: boolean): Promise<Response> {
  const stored = await findRecord(params.request_id, isOperator ? undefined : caller.id)
  const title = translator(visit.language)('call.title')
  if (!stored) return render(request, visit, <NoCall />, { title, status: 404 })
  const view = await callView(stored, isOperator, visit.language)
  return render(request, visit, <CallPage call={view} />, { title })
}
