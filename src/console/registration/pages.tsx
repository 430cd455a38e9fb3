/** Routes of the registration page. One form, two buttons: the code by mail, and the account, which is signed in at once. */
import { Elysia } from 'elysia'
import { z } from 'zod'
import { RegistrationPage } from '../../../views/registration/registration.tsx'
import { RESEND_SECONDS } from '../../contracts/registration.ts'
import { LANDING_PATH } from '../../contracts/security-paths.ts'
import type { Visit } from '../../contracts/visit.ts'
import { translate } from '../../locales/index.ts'
import { forms, text } from '../../web/forms.ts'
import { idempotent, newFormId } from '../../web/idempotent-form.ts'
import { checkLimit } from '../../web/ip-rate-limit.ts'
import { guard } from '../guard.ts'
import { clearedInvitation, keepInvitation } from '../invitation-cookie.ts'
import { render } from '../page.tsx'
import { type RefusedForm, refusedForm } from '../refused-form.ts'
import { completeSignIn, redirectAfterSignIn } from '../sign-in.ts'
import type { RequestContext } from '../visit.ts'
import { mailCode, register } from './register.ts'

const RegistrationForm = z.object({
  username: text,
  email: text,
  verification_code: text,
  password: text,
  password2: text,
  /** `code` for the button that sends one. */
  action: text,
  'cf-turnstile-response': text,
  form_id: text,
})
type RegistrationForm = z.output<typeof RegistrationForm>

type RegistrationRequest = RequestContext & { visit: Visit }

export const registrationPages = new Elysia()
  .use(guard)
  .use(forms)
  .get('/register', page => keepInvitation(page.request) ?? registerPage(page), { page: 'anonymous' })
  .post('/register', submit, { page: 'anonymous' })

async function submit(page: RegistrationRequest): Promise<Response> {
  const form = RegistrationForm.parse(page.body)
  try {
    return await (form.action === 'code' ? sendCode(page, form) : create(page, form))
  } catch (error) {
    return registerPage(page, form, refusedForm(error, page.request, page.visit.language))
  }
}

async function sendCode(page: RegistrationRequest, form: RegistrationForm): Promise<Response> {
  await checkLimit('critical', page.request, page.server, 'verification')
  const email = await mailCode(page, form, form['cf-turnstile-response'])
  return registerPage(page, { ...form, email, verification_code: '' }, { sent: true, wait: RESEND_SECONDS })
}

async function create(page: RegistrationRequest, form: RegistrationForm): Promise<Response> {
  const { username, email, verification_code, password, password2 } = form
  const fields = { username, email, verification_code, password, password2 }
  const user = await idempotent(0, form, async key => {
    await checkLimit('critical', page.request, page.server, 'register')
    return register(page, fields, form['cf-turnstile-response'], key)
  })
  const notice = { kind: 'success', text: translate(page.visit.language, 'registration.done') } as const
  const response = await redirectAfterSignIn(await completeSignIn(user, page), LANDING_PATH, notice)
  response.headers.append('set-cookie', clearedInvitation)
  return response
}

function registerPage(
  { request, visit }: RegistrationRequest,
  form?: RegistrationForm,
  outcome: Partial<RefusedForm> & { sent?: boolean } = {},
): Promise<Response> {
  const { status = 200, ...shown } = outcome
  const values = { ...form, form_id: newFormId() }
  const page = <RegistrationPage visit={visit} values={values} {...shown} />
  return render(request, visit, page, {
    title: translate(visit.language, 'registration.title'),
    frame: 'auth',
    humanCheck: true,
    status,
  })
}
