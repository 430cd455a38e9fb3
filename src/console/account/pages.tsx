/** Routes of the sign-in page and of the sign-out form. */
import { Elysia } from 'elysia'
import { SignInPage } from '../../../views/account/sign-in.tsx'
import { DEFAULT_ROOT, Login } from '../../contracts/account.ts'
import { parse } from '../../contracts/parse.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { LANDING_PATH } from '../../contracts/security-paths.ts'
import type { Visit } from '../../contracts/visit.ts'
import { canMailBrowserLinks, checkPassword } from '../../domain/account/index.ts'
import { checkHuman } from '../../domain/human-check/index.ts'
import { option } from '../../domain/options/index.ts'
import { translate } from '../../locales/index.ts'
import { forms } from '../../web/forms.ts'
import { checkLimit } from '../../web/ip-rate-limit.ts'
import { localPath } from '../../web/origin.ts'
import { addressOf } from '../../web/request.ts'
import { guard } from '../guard.ts'
import { keepInvitation } from '../invitation-cookie.ts'
import { originOf } from '../known-browser.ts'
import { redirectTo, render } from '../page.tsx'
import { refusedAt } from '../refused-form.ts'
import { completeSignIn, redirectAfterSignIn, type SignInContext, signOut } from '../sign-in.ts'
import { mailSignInLink } from './sign-in-link.ts'

export const accountPages = new Elysia()
  .use(guard)
  .use(forms)
  .get('/login', ({ request, visit, query }) => keepInvitation(request) ?? loginPage(request, visit, query), {
    page: 'anonymous',
  })
  .post(
    '/login',
    async ({ request, server, visit, body }) => {
      const fields = body as Record<string, string>
      try {
        if (fields.action === 'link') return await sendLink({ request, server }, visit, fields)
        await checkLimit('critical', request, server, 'login')
        const { username, password } = parse(Login, { username: fields.username, password: fields.password })
        await checkHuman(fields['cf-turnstile-response'], addressOf(request, server))
        const user = await checkPassword(username, password, originOf({ request, server }))
        const signedIn = await completeSignIn(user, { request, server })
        const notice = isDefaultRoot(fields) ? ({ dialog: 'default-password' } as const) : undefined
        return redirectAfterSignIn(signedIn, localPath(fields.returnTo, LANDING_PATH), notice)
      } catch (error) {
        return loginPage(request, visit, fields, error)
      }
    },
    { page: 'anonymous' },
  )
  .post(
    '/logout',
    async ({ request, server, visit }) => {
      const text = translate(visit.language, 'login.signed_out')
      return redirectTo('/login', { kind: 'success', text }, { 'set-cookie': await signOut({ request, server }) })
    },
    { page: 'anyone' },
  )

type LoginFields = Partial<Record<string, string>>

export function loginPage(request: Request, visit: Visit, fields: LoginFields, error?: unknown) {
  const { errors, status } = refusedAt('password', error, request, visit.language)
  const page = (
    <SignInPage
      visit={visit}
      expired={fields.expired === 'true'}
      returnTo={localPath(fields.returnTo, LANDING_PATH)}
      values={{ username: fields.username }}
      errors={errors}
      byPassword={option('PasswordLoginEnabled')}
      offersLink={isThrottled(error) && canMailBrowserLinks()}
    />
  )
  return render(request, visit, page, {
    title: translate(visit.language, 'login.title'),
    frame: 'auth',
    status,
    humanCheck: true,
  })
}

const isThrottled = (error: unknown) => error instanceof Refusal && error.code === 'account.login_throttled'

/** The second button of a sign-in that has to wait. */
async function sendLink(context: SignInContext, visit: Visit, fields: LoginFields): Promise<Response> {
  await mailSignInLink(context, fields, fields['cf-turnstile-response'])
  const { username = '', returnTo = '' } = fields
  const next = `/login?${new URLSearchParams({ username, returnTo: localPath(returnTo, LANDING_PATH) })}`
  return redirectTo(next, { kind: 'success', text: translate(visit.language, 'login.link_sent') })
}

/** Whether these are the credentials that One API and its forks create their root account with. */
const isDefaultRoot = ({ username, password }: Record<string, string>) =>
  username === DEFAULT_ROOT.username && password === DEFAULT_ROOT.password
