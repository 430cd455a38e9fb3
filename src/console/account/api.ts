/** JSON API of sign-in and sign-out, and the account of the signed-in user. */
import { Elysia } from 'elysia'
import { Login } from '../../contracts/account.ts'
import { parse } from '../../contracts/parse.ts'
import { checkPassword } from '../../domain/account/index.ts'
import { checkHuman } from '../../domain/human-check/index.ts'
import { ownView } from '../../domain/users/index.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { criticalLimit } from '../../web/ip-rate-limit.ts'
import { checkOrigin } from '../../web/origin.ts'
import { addressOf } from '../../web/request.ts'
import { guard } from '../guard.ts'
import { originOf } from '../known-browser.ts'
import { completeSignIn, signInResponse, signOut } from '../sign-in.ts'

export const accountApi = new Elysia()
  .use(envelope)
  .use(guard)
  .use(criticalLimit)
  .post(
    '/api/user/login',
    async ({ request, server, query, body }) => {
      checkOrigin(request)
      const { username, password } = parse(Login, body)
      await checkHuman(query.turnstile, addressOf(request, server))
      const user = await checkPassword(username, password, originOf({ request, server }))
      return signInResponse(await completeSignIn(user, { request, server }), request)
    },
    { critical: 'login' },
  )
  .get('/api/user/logout', async ({ request, server, set }) => {
    checkOrigin(request)
    set.headers['set-cookie'] = await signOut({ request, server })
    return ok(null)
  })
  .get('/api/user/self', async ({ caller }) => ok(await ownView(caller.id)), { signedIn: true })
