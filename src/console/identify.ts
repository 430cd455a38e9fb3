/** The user behind a request: by the session cookie or by the system access token. */
import type { SessionUser } from '../contracts/account.ts'
import { findSession, type Session } from '../domain/account/index.ts'
import { type User, userByAccessToken } from '../domain/users/index.ts'
import { readCookie } from '../web/session-cookie.ts'

export interface Identity {
  user: User
  caller: SessionUser
  /** Absent for an access token, which is accepted by the API and by no page. */
  session?: Session
}

/** @returns undefined for a visitor and for an ended session; a banned user is returned too. */
export async function identify(request: Request): Promise<Identity | undefined> {
  return (await bySession(request)) ?? (await byAccessToken(request))
}

export async function bySession(request: Request): Promise<Identity | undefined> {
  const claims = await readCookie(request)
  if (!claims) return undefined
  const found = await findSession(claims)
  return found && { ...found, caller: callerOf(found.user) }
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
