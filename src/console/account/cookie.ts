/** The session cookie: a signed token that carries the user id and the session id. */
import { jwt } from '@elysiajs/jwt'
import { z } from 'zod'
import { SESSION_SECONDS } from '../../contracts/account.ts'
import { sign } from '../../kit/secrets.ts'

export const SESSION_COOKIE = 'session'

const Claims = z.object({ sub: z.string(), sid: z.string() })

const { signer } = jwt({ name: 'signer', secret: sign('session-cookie', 'v1') }).decorator

export interface Claimed {
  user_id: number
  session_id: string
}

export async function writeCookie({ user_id, session_id }: Claimed, secure: boolean): Promise<string> {
  const value = await signer.sign({ sub: String(user_id), sid: session_id })
  return attributes(value, SESSION_SECONDS, secure)
}

export const clearedCookie = (secure: boolean) => attributes('', 0, secure)

const attributes = (value: string, maxAge: number, secure: boolean) =>
  `${SESSION_COOKIE}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`

export async function readCookie(value: string | undefined): Promise<Claimed | undefined> {
  if (!value) return undefined
  const claims = Claims.safeParse(await signer.verify(value))
  if (!claims.success) return undefined
  return { user_id: Number(claims.data.sub), session_id: claims.data.sid }
}

/** What a form of this session must bring along. */
export const csrfOf = (session_id: string) => sign('csrf', session_id)
