/** "Try it" of the home page: whether it is offered, and the receipt of a visitor's call. */
import { z } from 'zod'
import { TryItReceipt } from '../../../views/home/try-it.tsx'
import { entryView } from '../../../views/logs/entry.ts'
import { KEY_PREFIX } from '../../contracts/token.ts'
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

export const ReceiptParams = z.object({
  request_id: z
    .string()
    .max(64)
    .regex(/^[\w-]+$/),
})
export const ReceiptQuery = z.object({ tries: z.coerce.number().pipe(z.int().min(0)).catch(0) })

interface ReceiptRequest {
  visit: Visit
  params: z.output<typeof ReceiptParams>
  query: z.output<typeof ReceiptQuery>
}

/** The receipt of a call with the key of "Try it", without the key's name; other calls have none here. */
export async function showTryItReceipt({ visit, params, query }: ReceiptRequest): Promise<Response> {
  const { request_id } = params
  const key = option('TryItKey')
  const token = key ? await tokenByKey(key.replace(KEY_PREFIX, '')) : undefined
  const row = token && (await findCall(token.user_id, { request_id, since: now() - SEARCHED_SECONDS }))
  const entry = row?.token_id === token?.id && row ? entryView({ ...row, channel_name: '', token_name: '' }) : undefined
  return renderPart(visit, <TryItReceipt entry={entry} request_id={request_id} tries={query.tries} />)
}
