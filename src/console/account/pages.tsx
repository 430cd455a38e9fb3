import { Elysia } from 'elysia'
import { Login as LoginPage } from '../../../views/account/login.tsx'
import { DEFAULT_ROOT, Login } from '../../contracts/account.ts'
import { parse } from '../../contracts/parse.ts'
import type { Visit } from '../../contracts/visit.ts'
import { translate } from '../../locales/index.ts'
import { asRefusal, envelopeOf } from '../../web/envelope.ts'
import { forms } from '../../web/forms.ts'
import { checkLimit } from '../../web/ip-rate-limit.ts'
import { localPath } from '../../web/origin.ts'
import { guard } from '../guard.ts'
import { DEFAULT_PASSWORD, redirectTo, render } from '../page.tsx'
import { signIn, signOut } from './sign-in.ts'

/** Where a sign-in leads when it came from nowhere in particular. */
const LANDING = '/app/tokens'

export const accountPages = new Elysia()
  .use(guard)
  .use(forms)
  .get('/login', ({ request, visit, query }) => loginPage(request, visit, query), { page: 'anonymous' })
  .post(
    '/login',
    async ({ request, server, visit, body }) => {
      const typed = body as Record<string, string>
      try {
        checkLimit('critical', request, server, 'login')
        const { username, password } = typed
        const { cookie } = await signIn({ request, server }, parse(Login, { username, password }))
        return redirectTo(localPath(typed.returnTo, LANDING), isKnownToAll(typed) ? DEFAULT_PASSWORD : undefined, {
          'set-cookie': cookie,
        })
      } catch (error) {
        return loginPage(request, visit, typed, error)
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

function loginPage(request: Request, visit: Visit, given: Record<string, string>, error?: unknown) {
  const { language } = visit
  const refusal = error === undefined ? undefined : asRefusal(error, request)
  const errors = refusal && { [refusal.field ?? 'password']: envelopeOf(refusal, language).message }
  const page = (
    <LoginPage
      visit={visit}
      expired={given.expired === 'true'}
      returnTo={localPath(given.returnTo, LANDING)}
      values={{ username: given.username }}
      errors={errors}
    />
  )
  const status = refusal ? (refusal.status === 200 ? 422 : refusal.status) : 200
  return render(request, visit, page, { title: translate(language, 'login.title'), frame: 'auth', status })
}

/** The credentials that older systems of this family were shipped with. */
const isKnownToAll = ({ username, password }: Record<string, string>) =>
  username === DEFAULT_ROOT.username && password === DEFAULT_ROOT.password
