/** The second step of a sign-in: its page, and the API's calls. */
import { Elysia } from 'elysia'
import { SecondFactor } from '../../../views/account/second-factor.tsx'
import { parse } from '../../contracts/parse.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { type FactorProof, SecondFactorBody, TicketBody } from '../../contracts/security.ts'
import { LANDING_PATH, SECOND_FACTOR_PATH } from '../../contracts/security-paths.ts'
import type { Visit } from '../../contracts/visit.ts'
import { countPending, type PendingSignIn, pendingUser, takePending } from '../../domain/account/index.ts'
import { authenticationOptions, checkFactor, hasPasskey } from '../../domain/two-factor/index.ts'
import { translate } from '../../locales/index.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { formFields, forms } from '../../web/forms.ts'
import { checkLimit, criticalLimit } from '../../web/ip-rate-limit.ts'
import { checkOrigin, localPath } from '../../web/origin.ts'
import { ceremonyOf } from '../ceremony.ts'
import { guard } from '../guard.ts'
import { originOf } from '../known-browser.ts'
import { redirectTo, render } from '../page.tsx'
import { refusedAt } from '../refused-form.ts'
import { openSessionOf, pendingIn, redirectAfterSignIn, type SignInContext, signInResponse } from '../sign-in.ts'

export const secondFactorApi = new Elysia()
  .use(envelope)
  .use(criticalLimit)
  .post(
    '/api/user/login/second-factor',
    async ({ request, server, body }) => {
      checkOrigin(request)
      const { ticket, ...proof } = parse(SecondFactorBody, body)
      const context = { request, server }
      return signInResponse(await finishSignIn(context, pendingIn(context, ticket), proof), request)
    },
    { critical: 'second-factor' },
  )
  .post(
    '/api/user/login/second-factor/challenge',
    async ({ request, server, body }) => {
      checkOrigin(request)
      const context = { request, server }
      const pending = pendingIn(context, parse(TicketBody, body).ticket)
      const { id } = await pendingUser(pending)
      return ok(await authenticationOptions(ceremonyOf(context, 'passkey-second-factor', pending.ticket), id))
    },
    { critical: 'second-factor-challenge' },
  )

export const secondFactorPages = new Elysia()
  .use(guard)
  .use(forms)
  .get(SECOND_FACTOR_PATH, page => secondFactorPage(page, page.query), { page: 'anonymous' })
  .post(
    SECOND_FACTOR_PATH,
    async page => {
      const { request, server } = page
      const { code, credential, returnTo } = formFields(page.body)
      try {
        await checkLimit('critical', request, server, 'second-factor')
        const pending = pendingIn(page)
        const { ticket, ...proof } = parse(SecondFactorBody, { ticket: pending.ticket, code, credential })
        return await redirectAfterSignIn(await finishSignIn(page, pending, proof), localPath(returnTo, LANDING_PATH))
      } catch (error) {
        return secondFactorPage(page, { returnTo }, error)
      }
    },
    { page: 'anonymous' },
  )

/** @throws Refusal at the field of the proof; 401 for an ended sign-in; 429 */
async function finishSignIn(context: SignInContext, pending: PendingSignIn, proof: FactorProof) {
  const user = await pendingUser(pending)
  await countPending(pending, user, originOf(context))
  await checkFactor(user.id, proof, ceremonyOf(context, 'passkey-second-factor', pending.ticket))
  await takePending(pending)
  return openSessionOf(user, context)
}

/** A sign-in that has ended leads back to its first step. */
async function secondFactorPage(
  page: SignInContext & { visit: Visit },
  fields: { returnTo?: string },
  error?: unknown,
): Promise<Response> {
  const { request, visit } = page
  const returnTo = localPath(fields.returnTo, LANDING_PATH)
  try {
    if (isEnd(error)) throw error
    const { ticket, secret } = pendingIn(page)
    const { id } = await pendingUser({ ticket, secret })
    const { errors, status } = refusedAt('code', error, request, visit.language)
    const content = <SecondFactor {...{ visit, ticket, returnTo, errors }} passkey={await hasPasskey(id)} />
    const title = translate(visit.language, 'security.second_step_title')
    return await render(request, visit, content, { title, frame: 'auth', status })
  } catch (ended) {
    if (!isEnd(ended)) throw ended
    const text = translate(visit.language, ended.code)
    return redirectTo(`/login?${new URLSearchParams({ returnTo })}`, { kind: 'error', text })
  }
}

const isEnd = (error: unknown): error is Refusal => error instanceof Refusal && error.status === 401
