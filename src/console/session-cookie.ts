/** The session cookie: a signed token that carries the user id and the session id. */
import { jwt } from '@elysiajs/jwt'
import { z } from 'zod'
import { SESSION_SECONDS } from '../contracts/account.ts'
import { sign } from '../crypto/sealing.ts'
import { cookieOf } from '../web/request.ts'

const Claims = z.object({ sub: z.string(), sid: z.string() })

const signerFor = (name: string) => jwt({ name: 'signer', secret: sign('session-cookie', name) }).decorator.signer

/**
 * Over https browsers take the cookie from this very host alone. Each name has a signature of its own, so that what a
 * neighbouring host sets under the other one is nobody's session.
 */
const secured = { name: '__Host-session', signer: signerFor('host') }
const plain = { name: 'session', signer: signerFor('v1') }
const kinds = [secured, plain]

export interface SessionClaims {
  user_id: number
  session_id: string
}

export async function writeCookie({ user_id, session_id }: SessionClaims, secure: boolean): Promise<string> {
  const { signer } = secure ? secured : plain
  return cookie(await signer.sign({ sub: String(user_id), sid: session_id }), SESSION_SECONDS, secure)
}

export const clearedCookie = (secure: boolean) => cookie('', 0, secure)

function cookie(value: string, maxAge: number, secure: boolean): string {
  const { name } = secure ? secured : plain
  return `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}

export async function readCookie(request: Request): Promise<SessionClaims | undefined> {
  for (const { name, signer } of kinds) {
    const value = cookieOf(request, name)
    const claims = Claims.safeParse(value && (await signer.verify(value)))
    if (claims.success) return { user_id: Number(claims.data.sub), session_id: claims.data.sid }
  }
}

/** Whether there is one at all, be it that of a session that has ended. */
export const hasSessionCookie = (request: Request) => kinds.some(({ name }) => cookieOf(request, name))

/** What a form of this session must bring along. */
export const csrfOf = (session_id: string) => sign('csrf', session_id)
