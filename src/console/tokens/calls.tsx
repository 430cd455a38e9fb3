/** The receipt of a call that was just sent from the drawer of a key. */
import type { z } from 'zod'
import { entryView } from '../../../views/logs/entry.ts'
import { SentCall } from '../../../views/tokens/sent-call.tsx'
import { CALLS_PATH } from '../../../views/tokens/view.ts'
import type { SentCallParams, SentCallQuery } from '../../contracts/sent-call.ts'
import { findCall } from '../../domain/logs/index.ts'
import { now } from '../../process/clock.ts'
import type { PageRequest } from '../list-page.ts'
import { renderPart } from '../page.tsx'

/** The drawer asks right after the reply. */
const SEARCHED_SECONDS = 3600

type CallRequest = PageRequest<z.output<typeof SentCallQuery>> & { params: z.output<typeof SentCallParams> }

export async function showCall({ caller, visit, query, params }: CallRequest): Promise<Response> {
  const { request_id } = params
  const row = await findCall(caller.id, { request_id, since: now() - SEARCHED_SECONDS })
  const entry = row && entryView({ ...row, channel_name: '' })
  return renderPart(visit, <SentCall entry={entry} path={CALLS_PATH} request_id={request_id} tries={query.tries} />)
}
