/** Routes of the pages of a password reset. Opening the link changes nothing: mail scanners open links. */
import { Elysia } from 'elysia'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { ConfirmReset, NewPassword } from '../../../views/password-reset/confirm.tsx'
import { RequestReset } from '../../../views/password-reset/request.tsx'
import { PasswordReset } from '../../contracts/password-reset.ts'
import { RESEND_SECONDS } from '../../contracts/registration.ts'
import type { Visit } from '../../contracts/visit.ts'
import { type MessageKey, translate } from '../../locales/index.ts'
import { forms, text } from '../../web/forms.ts'
import { idempotent, newFormId } from '../../web/idempotent-form.ts'
import { checkLimit } from '../../web/ip-rate-limit.ts'
import type { PageHeaders } from '../../web/page-headers.ts'
import { guard } from '../guard.ts'
import { render } from '../page.tsx'
import { type RefusedForm, refusedForm } from '../refused-form.ts'
import type { RequestContext } from '../visit.ts'
import { mailLink, reset } from './reset.ts'

const ResetForm = z.object({ email: text, token: text, 'cf-turnstile-response': text, form_id: text })
type ResetForm = z.output<typeof ResetForm>

type ResetRequest = RequestContext & { visit: Visit }

/** For signed-in users too: they may have forgotten the password that a change asks for. */
export const passwordResetPages = new Elysia()
  .use(guard)
  .use(forms)
  .get('/reset', page => show(page, 'reset.title', <RequestReset visit={page.visit} />), { page: 'anyone' })
  .post('/reset', requestLink, { page: 'anyone' })
  .get('/user/reset', page => confirmPage(page, ResetForm.parse(page.query)), { page: 'anyone' })
  .post('/user/reset', confirm, { page: 'anyone' })

async function requestLink(page: ResetRequest): Promise<Response> {
  const { visit, request, server } = page
  const form = ResetForm.parse(page.body)
  try {
    await checkLimit('critical', request, server, 'reset-mail')
    const email = await mailLink(page, form, form['cf-turnstile-response'])
    return show(page, 'reset.title', <RequestReset visit={visit} email={email} sent wait={RESEND_SECONDS} />)
  } catch (error) {
    const { status, ...shown } = refusedForm(error, request, visit.language)
    return show(page, 'reset.title', <RequestReset visit={visit} email={form.email} {...shown} />, status)
  }
}

/** A link that names no address or no token is shown as invalid. */
function confirmPage(page: ResetRequest, { email, token }: ResetForm, refused: Partial<RefusedForm> = {}) {
  const { visit } = page
  const isLink = PasswordReset.safeParse({ email, token }).success
  const {
    status = 200,
    errors,
    problem = isLink ? undefined : translate(visit.language, 'reset.link_invalid'),
  } = refused
  const link = problem === undefined ? { email, token, form_id: newFormId() } : undefined
  const content = <ConfirmReset visit={visit} link={link} errors={errors} problem={problem} />
  return show(page, 'reset.confirm_title', content, status)
}

async function confirm(page: ResetRequest): Promise<Response> {
  const { visit, request, server } = page
  const form = ResetForm.parse(page.body)
  const { email, token } = form
  try {
    const password = await idempotent(0, form, async key => {
      await checkLimit('critical', request, server, 'reset')
      return reset(page, { email, token }, form['cf-turnstile-response'], key)
    })
    const headers = { 'referrer-policy': 'no-referrer' }
    return show(page, 'reset.result_title', <NewPassword visit={visit} password={password} />, 200, headers)
  } catch (error) {
    return confirmPage(page, form, refusedForm(error, request, visit.language))
  }
}

const show = (
  { request, visit }: ResetRequest,
  title: MessageKey,
  page: ReactNode,
  status = 200,
  headers?: PageHeaders,
) =>
  render(request, visit, page, {
    title: translate(visit.language, title),
    frame: 'auth',
    status,
    headers,
    humanCheck: true,
  })
