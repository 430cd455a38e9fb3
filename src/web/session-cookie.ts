/** The session cookie: a signed token that carries the user id and the session id. */
import { jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { SESSION_SECONDS, type SessionClaims } from '../contracts/account.ts'
import { sign } from '../crypto/sealing.ts'
import { cookieOf } from './request.ts'

const Claims = z.object({ sub: z.string(), sid: z.string() })

const ALGORITHM = 'HS256'

const keyFor = (name: string) => new TextEncoder().encode(sign('session-cookie', name))

/**
 * Browsers accept a `__Host-` cookie over https and from this host only. Each name has its own signing key: a
 * `session` cookie that a neighbouring host sets is no valid `__Host-session`.
 */
const secured = { name: '__Host-session', key: keyFor('host') }
const plain = { name: 'session', key: keyFor('v1') }
const kinds = [secured, plain]

export async function writeCookie({ user_id, session_id }: SessionClaims, secure: boolean): Promise<string> {
  const { key } = secure ? secured : plain
  const token = new SignJWT({ sub: String(user_id), sid: session_id }).setProtectedHeader({ alg: ALGORITHM })
  return cookie(await token.setIssuedAt().sign(key), SESSION_SECONDS, secure)
}

export const clearedCookie = (secure: boolean) => cookie('', 0, secure)

function cookie(value: string, maxAge: number, secure: boolean): string {
  const { name } = secure ? secured : plain
  return `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}

export async function readCookie(request: Request): Promise<SessionClaims | undefined> {
  for (const { name, key } of kinds) {
    const token = cookieOf(request, name)
    if (!token) continue
    const verified = await jwtVerify(token, key, { algorithms: [ALGORITHM] }).catch(() => undefined)
    const claims = Claims.safeParse(verified?.payload)
    if (claims.success) return { user_id: Number(claims.data.sub), session_id: claims.data.sid }
  }
}

/** Whether the request has a session cookie, valid or not. */
export const hasSessionCookie = (request: Request) => kinds.some(({ name }) => cookieOf(request, name))
