/** JSON API of the playground's island: the models of a group, the receipt of an answer. */
import { Elysia } from 'elysia'
import { z } from 'zod'
import { slipOf } from '../../../views/logs/bill.tsx'
import { durationOf, entryView } from '../../../views/logs/entry.ts'
import type { SessionUser } from '../../contracts/account.ts'
import { PLAYGROUND_MODELS_PATH, PLAYGROUND_RECEIPT_PATH } from '../../contracts/playground.ts'
import { PLAYGROUND_PREFIX } from '../../contracts/relay.ts'
import { findCall } from '../../domain/logs/index.ts'
import { translator } from '../../locales/index.ts'
import { now } from '../../process/clock.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { languageFor } from '../../web/request.ts'
import { guard } from '../guard.ts'
import { chatsOf } from '../offered-models.ts'

const ModelsQuery = z.object({ group: z.string().default('') })

const ByRequest = z.object({ request_id: z.string().regex(/^req_[\w-]{22}$/) })

export const playgroundApi = new Elysia()
  .use(envelope)
  .use(guard)
  .get(PLAYGROUND_MODELS_PATH, async ({ caller, query }) => ok(await chatsOf(caller.group, query.group)), {
    signedIn: true,
    query: ModelsQuery,
  })
  .get(`${PLAYGROUND_RECEIPT_PATH}/:request_id`, ({ caller, params, request }) => receiptOf(caller, params, request), {
    signedIn: true,
    params: ByRequest,
  })

/** The island asks right after the answer; it keeps what it was given. */
const SEARCHED_SECONDS = 86_400

/** `null` until the call is in the log. */
async function receiptOf({ id }: SessionUser, { request_id }: z.output<typeof ByRequest>, request: Request) {
  const row = await findCall(id, { request_id, named: PLAYGROUND_PREFIX, since: now() - SEARCHED_SECONDS })
  if (!row) return ok(null)
  // No API key was used: the name of the token only says where the call came from.
  const entry = entryView({ ...row, token_name: '', channel_name: '' })
  const { prompt_tokens, completion_tokens } = row
  const slip = slipOf(entry, translator(languageFor(request)))
  return ok({ slip, prompt_tokens, completion_tokens, duration_ms: durationOf(entry) })
}
