/** "Try it" of the home page: whether it is offered, and the receipt of a visitor's call. */
import type { z } from 'zod'
import { entryView } from '../../../views/logs/entry.ts'
import { SentCall } from '../../../views/tokens/sent-call.tsx'
import type { SentCallParams, SentCallQuery } from '../../contracts/sent-call.ts'
import { KEY_PREFIX } from '../../contracts/token.ts'
import { TRY_IT_RECEIPT_PATH } from '../../contracts/try-it.ts'
import type { Visit } from '../../contracts/visit.ts'
import { findCall } from '../../domain/logs/index.ts'
import { option } from '../../domain/options/index.ts'
import { tokenByKey } from '../../domain/tokens/index.ts'
import { now } from '../../process/clock.ts'
import { renderPart } from '../page.tsx'

/** The model that visitors may call; undefined while it is off. */
export const tryItModel = (): string | undefined => (option('TryItKey') && option('TryItModel')) || undefined

/** The page asks right after the answer. */
const SEARCHED_SECONDS = 600

interface ReceiptRequest {
  visit: Visit
  params: z.output<typeof SentCallParams>
  query: z.output<typeof SentCallQuery>
}

/** The receipt of a call with the key of "Try it", without the key's name; other calls have none here. */
export async function showTryItReceipt({ visit, params, query }: ReceiptRequest): Promise<Response> {
  const { request_id } = params
  const key = option('TryItKey')
  const token = key ? await tokenByKey(key.replace(KEY_PREFIX, '')) : undefined
  const row = token && (await findCall(token.user_id, { request_id, since: now() - SEARCHED_SECONDS }))
  const entry = row?.token_id === token?.id && row ? entryView({ ...row, channel_name: '', token_name: '' }) : undefined
  return renderPart(
    visit,
    <SentCall entry={entry} path={TRY_IT_RECEIPT_PATH} request_id={request_id} tries={query.tries} />,
  )
}
