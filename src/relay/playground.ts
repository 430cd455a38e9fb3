/** A call of the playground: the session of the console is the credential, and body or query name the group. */

import { Refusal } from '../contracts/refusal.ts'
import type { Json } from '../pure/json.ts'
import { Cleanup } from './cleanup.ts'
import type { Endpoint, RelayContext } from './endpoint.ts'
import { type BackgroundService, serve } from './relay.ts'
import { admit } from './request/admit.ts'
import { authenticateSession } from './request/authenticate-session.ts'
import { readRequest } from './request/read-request.ts'

/** @throws Refusal or Fault */
export async function relayPlayground(
  context: RelayContext,
  endpoint: Endpoint,
  background?: BackgroundService,
): Promise<Response | undefined> {
  const cleanup = new Cleanup()
  try {
    const { user, callerIn } = await authenticateSession(context)
    const call = cleanup.use(await readRequest(context, endpoint, user.id))
    const caller = callerIn(takeGroup(call.body) ?? groupIn(context.request))
    const slots = cleanup.use(await admit(caller, context.request))
    return await serve(context, { call, caller, slots }, cleanup, background)
  } catch (error) {
    await cleanup.free()
    throw error
  }
}

const groupIn = ({ url }: Request) => new URL(url).searchParams.get('group') || undefined

/** Removes the group from the body: it is ours, and no upstream sees it. @throws Refusal 400 */
function takeGroup(body: Json): string | undefined {
  const { group } = body
  delete body.group
  if (group === undefined || group === null || group === '') return undefined
  if (typeof group !== 'string') throw new Refusal('relay.field_wrong', { field: 'group' }, 400, 'group')
  return group
}
