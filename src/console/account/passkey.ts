/** Sign-in with a passkey alone, which verifies its user by itself: it counts as both factors. */
import { Elysia } from 'elysia'
import { parse } from '../../contracts/parse.ts'
import { forbidden, Refusal, unauthorized } from '../../contracts/refusal.ts'
import { type Credential, CredentialBody } from '../../contracts/security.ts'
import { LANDING_PATH } from '../../contracts/security-paths.ts'
import { randomToken } from '../../crypto/random-id.ts'
import { authenticationOptions, checkPasskey } from '../../domain/two-factor/index.ts'
import { anyUser, isEnabled } from '../../domain/users/index.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { formFields, forms } from '../../web/forms.ts'
import { hostCookie, hostCookieOf } from '../../web/host-cookie.ts'
import { checkLimit, criticalLimit } from '../../web/ip-rate-limit.ts'
import { checkOrigin, localPath } from '../../web/origin.ts'
import { isSecure } from '../../web/request.ts'
import { ceremonyOf } from '../ceremony.ts'
import { guard } from '../guard.ts'
import { openSessionOf, redirectAfterSignIn, type SignInContext, signInResponse } from '../sign-in.ts'
import { loginPage } from './pages.tsx'

const COOKIE = 'passkey'
const COOKIE_SECONDS = 300
const SUBJECT_BYTES = 32

export const passkeyApi = new Elysia()
  .use(envelope)
  .use(criticalLimit)
  .post(
    '/api/user/login/passkey/challenge',
    async ({ request, server, set }) => {
      checkOrigin(request)
      const subject = randomToken(SUBJECT_BYTES)
      set.headers['set-cookie'] = hostCookie(COOKIE, subject, COOKIE_SECONDS, isSecure(request, server))
      return ok(await authenticationOptions(ceremonyOf({ request, server }, 'passkey-sign-in', subject)))
    },
    { critical: 'passkey-challenge' },
  )
  .post(
    '/api/user/login/passkey',
    async ({ request, server, body }) => {
      checkOrigin(request)
      const { credential } = parse(CredentialBody, body)
      return signInResponse(await signInBy(credential, { request, server }), request)
    },
    { critical: 'passkey' },
  )

export const passkeyPages = new Elysia()
  .use(guard)
  .use(forms)
  .post(
    '/login/passkey',
    async page => {
      const { request, server, visit } = page
      const { credential: text, returnTo } = formFields(page.body)
      try {
        await checkLimit('critical', request, server, 'passkey')
        const { credential } = parse(CredentialBody, { credential: text })
        return await redirectAfterSignIn(await signInBy(credential, page), localPath(returnTo, LANDING_PATH))
      } catch (error) {
        return loginPage(request, visit, { returnTo }, error)
      }
    },
    { page: 'anonymous' },
  )

/** @throws Refusal at `credential`; 403 for a banned user */
async function signInBy(credential: Credential, context: SignInContext) {
  const subject = hostCookieOf(context.request, COOKIE, isSecure(context.request, context.server))
  if (!subject) throw unauthorized('security.sign_in_ended')
  const user_id = await checkPasskey(ceremonyOf(context, 'passkey-sign-in', subject), credential)
  const user = user_id === undefined ? undefined : await anyUser(user_id)
  if (!user || user.deleted_time !== null) throw new Refusal('security.passkey_refused', {}, 200, 'credential')
  if (!isEnabled(user)) throw forbidden('account.banned')
  return openSessionOf(user, context)
}
