/** Confirmation of who the user is, before a dangerous step: its page, and the API's calls. */
import { Elysia } from 'elysia'
import { Confirm } from '../../../views/account/confirm.tsx'
import { parse } from '../../contracts/parse.ts'
import { forbidden, Refusal } from '../../contracts/refusal.ts'
import { ConfirmBody } from '../../contracts/security.ts'
import { CONFIRM_PATH } from '../../contracts/security-paths.ts'
import { checkOwnPassword, countOwnAttempt, markConfirmed, type Session } from '../../domain/account/index.ts'
import { authenticationOptions, checkFactor, hasPasskey, hasSecondFactor } from '../../domain/two-factor/index.ts'
import { anyUser } from '../../domain/users/index.ts'
import { translate } from '../../locales/index.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { formFields, forms } from '../../web/forms.ts'
import { localPath } from '../../web/origin.ts'
import { ceremonyOf } from '../ceremony.ts'
import { guard } from '../guard.ts'
import { redirectTo, render } from '../page.tsx'
import { refusedAt } from '../refused-form.ts'
import type { SignInContext } from '../sign-in.ts'
import type { SessionVisit } from '../visit.ts'

export const confirmApi = new Elysia()
  .use(envelope)
  .use(guard)
  .post(
    '/api/user/confirm',
    async ({ request, server, caller, session, body }) => {
      // An access token has no session that could be confirmed.
      if (!session) throw forbidden('security.confirm_required')
      await confirm({ request, server }, caller.id, session, parse(ConfirmBody, body))
      return ok(null)
    },
    { signedIn: true },
  )
  .post(
    '/api/user/confirm/challenge',
    async ({ request, server, caller }) =>
      ok(await authenticationOptions(ceremonyOf({ request, server }, 'passkey-confirm', caller.id), caller.id)),
    { signedIn: true },
  )

export const confirmPages = new Elysia()
  .use(guard)
  .use(forms)
  .get(CONFIRM_PATH, page => confirmPage(page, page.query), { userPage: 'signedIn' })
  .post(
    CONFIRM_PATH,
    async page => {
      const { request, server, caller, session } = page
      const { password, code, credential, returnTo } = formFields(page.body)
      try {
        const proof = parse(ConfirmBody, { password, code, credential })
        await confirm({ request, server }, caller.id, session, proof)
        return redirectTo(localPath(returnTo, '/'))
      } catch (error) {
        return confirmPage(page, { returnTo }, error)
      }
    },
    { userPage: 'signedIn' },
  )

/** @throws Refusal at the field of the proof; 429 */
async function confirm(
  context: SignInContext,
  user_id: number,
  session: Session,
  { password, ...factor }: ConfirmBody,
) {
  const user = (await anyUser(user_id))!
  if (user.password) {
    if (password === undefined) throw new Refusal('security.password_required', {}, 400, 'password')
    await checkOwnPassword(user, password, session)
  } else {
    await countOwnAttempt(user_id, session)
    await checkFactor(user_id, factor, ceremonyOf(context, 'passkey-confirm', user_id))
  }
  await markConfirmed(session)
}

async function confirmPage(page: SignInContext & SessionVisit, fields: { returnTo?: string }, error?: unknown) {
  const { request, visit } = page
  const { id } = visit.caller!
  const user = (await anyUser(id))!
  const method = user.password ? 'password' : (await hasSecondFactor(id)) ? 'factor' : 'sign-in'
  const { errors, status } = refusedAt(method === 'factor' ? 'code' : 'password', error, request, visit.language)
  const content = (
    <Confirm {...{ visit, method, errors }} passkey={await hasPasskey(id)} returnTo={localPath(fields.returnTo, '/')} />
  )
  return render(request, visit, content, {
    title: translate(visit.language, 'security.confirm_title'),
    frame: 'auth',
    status,
  })
}
