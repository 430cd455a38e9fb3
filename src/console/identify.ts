/** Who is asking: by the session cookie or by the system access token. */
import type { SessionUser } from '../contracts/account.ts'
import { sessionUser } from '../domain/account/index.ts'
import { type User, userByAccessToken } from '../domain/users/index.ts'
import { readCookie } from './session-cookie.ts'

export interface Identity {
  user: User
  caller: SessionUser
  /** Absent for an access token, which opens the API but no page. */
  session_id?: string
}

/** The signed-in user of a request, banned or not; nothing for a visitor or a session that has ended. */
export async function identify(request: Request): Promise<Identity | undefined> {
  return (await bySession(request)) ?? (await byAccessToken(request))
}

export async function bySession(request: Request): Promise<Identity | undefined> {
  const claimed = await readCookie(request)
  if (!claimed) return undefined
  const user = await sessionUser(claimed)
  return user && { user, caller: callerOf(user), session_id: claimed.session_id }
}

async function byAccessToken(request: Request): Promise<Identity | undefined> {
  const token = request.headers
    .get('authorization')
    ?.replace(/^Bearer /i, '')
    .trim()
  if (!token) return undefined
  const user = await userByAccessToken(token)
  return user && { user, caller: callerOf(user) }
}

const callerOf = ({ id, username, display_name, role, group }: User): SessionUser => ({
  id,
  username,
  display_name,
  role,
  group,
})
