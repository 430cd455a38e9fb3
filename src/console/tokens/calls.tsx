/** The receipt of a call that was just sent from the drawer of a key. */
import { z } from 'zod'
import { entryView } from '../../../views/logs/entry.ts'
import { SentCall } from '../../../views/tokens/sent-call.tsx'
import { findCall } from '../../domain/logs/index.ts'
import { now } from '../../process/clock.ts'
import type { PageRequest } from '../list-page.ts'
import { renderPart } from '../page.tsx'

/** The drawer asks right after the reply. */
const SEARCHED_SECONDS = 3600

/** PostgreSQL text cannot hold U+0000. */
export const ByRequest = z.object({
  request_id: z
    .string()
    .max(64)
    .regex(/^[\w-]+$/),
})

export const TriesQuery = z.object({ tries: z.coerce.number().pipe(z.int().min(0)).catch(0) })

type CallRequest = PageRequest<z.output<typeof TriesQuery>> & { params: z.output<typeof ByRequest> }

export async function showCall({ caller, visit, query, params }: CallRequest): Promise<Response> {
  const { request_id } = params
  const row = await findCall(caller.id, { request_id, since: now() - SEARCHED_SECONDS })
  const entry = row && entryView({ ...row, channel_name: '' })
  return renderPart(visit, <SentCall entry={entry} request_id={request_id} tries={query.tries} />)
}
