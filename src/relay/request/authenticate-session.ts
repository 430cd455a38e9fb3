/** Finds the caller by the session of the console. API keys and access tokens are ignored. */

import { Refusal } from '../../contracts/refusal.ts'
import { PLAYGROUND_PREFIX } from '../../contracts/relay.ts'
import { TokenStatus, tokenDefaults } from '../../contracts/token.ts'
import { findSession } from '../../domain/account/index.ts'
import type { TokenRow } from '../../domain/tokens/index.ts'
import { isEnabled, type User } from '../../domain/users/index.ts'
import { checkOrigin } from '../../web/origin.ts'
import { addressOf } from '../../web/request.ts'
import { readCookie } from '../../web/session-cookie.ts'
import { namesUser } from '../../web/user-id-header.ts'
import type { ApiCaller, RelayContext } from '../call.ts'
import { mayUseGroup } from './authenticate.ts'

interface SessionUser {
  user: User
  /** The caller in a group; absent is the user's own. @throws Refusal 403 for a group that the user may not use */
  callerIn(group: string | undefined): ApiCaller
}

/** @throws Refusal 401 without a session and its user id header, 403 for another site's page or a banned user */
export async function authenticateSession({ request, server }: RelayContext): Promise<SessionUser> {
  checkOrigin(request)
  const claims = await readCookie(request)
  const found = claims && (await findSession(claims))
  if (!found || !namesUser(request, found.user.id)) throw sessionRequired()
  const { user, session } = found
  // Before the body is read: a banned user sends none.
  if (!isEnabled(user)) throw banned()
  const lostAccess = async (group: string) => {
    const still = await findSession(claims)
    return still ? refusalIn(still.user, group) : sessionRequired()
  }
  const callerIn = (group = user.group): ApiCaller => {
    const refusal = refusalIn(user, group)
    if (refusal) throw refusal
    return {
      token: tokenOf(user, group),
      session: { expires_time: session.expires_time, lostAccess: () => lostAccess(group) },
      user,
      group,
      channel_id: undefined,
      address: addressOf(request, server),
    }
  }
  return { user, callerIn }
}

const banned = () => new Refusal('relay.user_banned', {}, 403)
const sessionRequired = () => new Refusal('relay.session_required', {}, 401)

function refusalIn(user: User, group: string): Refusal | undefined {
  if (!isEnabled(user)) return banned()
  if (!mayUseGroup(user, group)) return new Refusal('relay.group_forbidden', { group }, 403, 'group')
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
