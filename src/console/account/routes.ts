import { Elysia } from 'elysia'
import { Login } from '../../contracts/account.ts'
import { criticalLimit } from '../../kit/limit.ts'
import { envelope, ok } from '../../kit/reply.ts'
import { addressOf, isSecure } from '../../kit/request.ts'
import { ownView } from '../users/service.ts'
import { clearedCookie, writeCookie } from './cookie.ts'
import { guard } from './guard.ts'
import { bySession } from './identify.ts'
import { checkPassword, closeSession, openSession } from './service.ts'

interface Asked {
  request: Request
  server: Parameters<typeof addressOf>[1]
}

/** Signs in and answers with the cookie to set. */
export async function signIn(
  { request, server }: Asked,
  { username, password }: { username: string; password: string },
) {
  const user = await checkPassword(username, password)
  const session_id = await openSession(user.id, {
    address: addressOf(request, server),
    device: request.headers.get('user-agent') ?? '',
  })
  return { user, cookie: await writeCookie({ user_id: user.id, session_id }, isSecure(request, server)) }
}

/** Ends the session of a request, if it has one. */
export async function signOut({ request, server }: Asked) {
  const identity = await bySession(request)
  if (identity?.session_id) await closeSession(identity.session_id)
  return clearedCookie(isSecure(request, server))
}

export const accountRoutes = new Elysia()
  .use(envelope)
  .use(guard)
  .use(criticalLimit)
  .post(
    '/api/user/login',
    async ({ request, server, body, set }) => {
      const { user, cookie } = await signIn({ request, server }, body)
      set.headers['set-cookie'] = cookie
      const { id, username, display_name, role, status, group } = user
      return ok({ id, username, display_name, role, status, group })
    },
    { body: Login, critical: 'login' },
  )
  .get('/api/user/logout', async ({ request, server, set }) => {
    set.headers['set-cookie'] = await signOut({ request, server })
    return ok(null)
  })
  .get('/api/user/self', async ({ caller }) => ok(await ownView(caller.id)), { signedIn: true })
