/** Finds the caller by the session of the console. API keys and access tokens are ignored. */

import { PLAYGROUND_PREFIX } from '../../contracts/relay.ts'
import { TokenStatus, tokenDefaults } from '../../contracts/token.ts'
import type { TokenRow } from '../../domain/tokens/index.ts'
import { isEnabled, type User } from '../../domain/users/index.ts'
import { checkOrigin } from '../../web/origin.ts'
import { addressOf } from '../../web/request.ts'
import { namesUser } from '../../web/user-id-header.ts'
import type { ApiCaller } from '../caller.ts'
import type { RelayContext } from '../endpoint.ts'
import { accessRefusal, sessionRequired, userBanned } from './access-rules.ts'
import { findSession } from './find-session.ts'

interface SessionUser {
  user: User
  /** The caller in a group; absent is the user's own. @throws Refusal 403 for a group that the user may not use */
  callerIn(group: string | undefined): ApiCaller
}

/** @throws Refusal 401 without a session and its user id header, 403 for another site's page or a banned user */
export async function authenticateSession({ request, server }: RelayContext): Promise<SessionUser> {
  checkOrigin(request)
  const found = await findSession(request)
  if (!found || !namesUser(request, found.user.id)) throw sessionRequired()
  const { user, session } = found
  // Before the body is read: a banned user sends none.
  if (!isEnabled(user)) throw userBanned()
  const callerIn = (group = user.group): ApiCaller => {
    const caller: ApiCaller = {
      token: tokenOf(user, group),
      session: {
        expires_time: session.expires_time,
        findUser: async () => (await findSession(request))?.user,
      },
      user,
      group,
      channel_id: undefined,
      address: addressOf(request, server),
    }
    const refusal = accessRefusal(caller)
    if (refusal) throw refusal
    return caller
  }
  return { user, callerIn }
}

/** Stands for the API key that a session does not have: id 0 is charged to the user alone. */
const tokenOf = ({ id: user_id }: User, group: string): TokenRow => ({
  ...tokenDefaults,
  id: 0,
  user_id,
  name: PLAYGROUND_PREFIX + group,
  group,
  unlimited_quota: true,
  status: TokenStatus.enabled,
  key_sealed: '',
  key_hash: '',
  key_tail: '',
  used_quota: 0,
  created_time: 0,
  accessed_time: 0,
  deleted_time: null,
})
