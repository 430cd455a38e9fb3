/** Answers a request that costs nothing. */

import { idOf } from '../../web/request.ts'
import type { ApiCaller } from '../caller.ts'
import type { RelayContext } from '../endpoint.ts'
import { headersFor } from '../errors/explain.ts'
import { authenticate } from '../request/authenticate.ts'

/** @throws Refusal 401 or 403 unless the key is valid here */
export const lookup =
  (bodyOf: (caller: ApiCaller, context: RelayContext) => Promise<unknown>) =>
  async (context: RelayContext): Promise<Response> => {
    const caller = await authenticate(context)
    return Response.json(await bodyOf(caller, context), { headers: headersFor(idOf(context.request)) })
  }
