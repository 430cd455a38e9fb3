/** JSON API of the account in its owner's hands: profile, password, access token, settings, deletion. */
import { Elysia } from 'elysia'
import { parse } from '../../contracts/parse.ts'
import { ProfileEdit } from '../../contracts/profile.ts'
import { SettingEdit } from '../../contracts/user-setting.ts'
import { deleteOwnAccount, editProfile, newAccessToken } from '../../domain/account/index.ts'
import { changeSetting } from '../../domain/users/index.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { criticalLimit } from '../../web/ip-rate-limit.ts'
import { isSecure, languageFor } from '../../web/request.ts'
import { clearedCookie } from '../../web/session-cookie.ts'
import { guard } from '../guard.ts'

export const meApi = new Elysia()
  .use(envelope)
  .use(guard)
  .use(criticalLimit)
  .put(
    '/api/user/self',
    async ({ caller, session, body }) => {
      await editProfile(caller.id, parse(ProfileEdit, body), session)
      return ok(null)
    },
    { signedIn: true },
  )
  .delete(
    '/api/user/self',
    async ({ caller, request, server, set }) => {
      await deleteOwnAccount(caller)
      set.headers['set-cookie'] = clearedCookie(isSecure(request, server))
      return ok(null)
    },
    { signedIn: true, confirmed: true },
  )
  .get('/api/user/token', async ({ caller }) => ok(await newAccessToken(caller.id)), {
    signedIn: true,
    confirmed: true,
    critical: 'access-token',
  })
  .put(
    '/api/user/setting',
    async ({ caller, body, request }) => {
      await changeSetting(caller.id, parse(SettingEdit, body), languageFor(request))
      return ok(null)
    },
    { signedIn: true },
  )
