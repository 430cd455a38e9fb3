/** Binding of an e-mail address: one form, two buttons. */
import { Elysia } from 'elysia'
import { z } from 'zod'
import { EmailPage, type EmailPageProps } from '../../../views/oauth/email.tsx'
import type { SessionUser } from '../../contracts/account.ts'
import { EmailAddress } from '../../contracts/mail.ts'
import { EmailBinding } from '../../contracts/oauth.ts'
import { parse } from '../../contracts/parse.ts'
import { RESEND_SECONDS } from '../../contracts/registration.ts'
import type { Session } from '../../domain/account/index.ts'
import { mailEmailCode } from '../../domain/account/index.ts'
import { checkHuman } from '../../domain/human-check/index.ts'
import { bindEmail } from '../../domain/oauth/index.ts'
import { translate } from '../../locales/index.ts'
import { forms, text } from '../../web/forms.ts'
import { checkLimit } from '../../web/ip-rate-limit.ts'
import { addressOf } from '../../web/request.ts'
import { guard } from '../guard.ts'
import { render } from '../page.tsx'
import { refusedForm } from '../refused-form.ts'
import { type OAuthPage, pathAfter, redirectOn } from './oauth-page.ts'

const START = '/oauth/email/start'

/** `action` is `code` for the button that sends one. */
const EmailForm = z.object({ email: text, code: text, action: text, returnTo: text, 'cf-turnstile-response': text })
const Recipient = z.object({ email: EmailAddress })

export const emailPages = new Elysia()
  .use(guard)
  .use(forms)
  .get(START, page => show(page, pathAfter(page.visit, page.query.returnTo)), { userPage: 'signedIn', confirmed: true })
  .post('/oauth/email', submit, { userPage: 'signedIn', confirmed: true })

async function submit(page: OAuthPage & { caller: SessionUser; session: Session }): Promise<Response> {
  const { request, server, visit, caller, session } = page
  const { action, returnTo, 'cf-turnstile-response': token, ...fields } = EmailForm.parse(page.body)
  const path = pathAfter(visit, returnTo)
  try {
    if (action === 'code') {
      await checkLimit('critical', request, server, 'verification')
      const { email } = parse(Recipient, fields)
      await checkHuman(token, addressOf(request, server))
      await mailEmailCode(email, visit.language)
      return await show(page, path, { email, sent: true, wait: RESEND_SECONDS })
    }
    await checkLimit('critical', request, server, 'oauth')
    await bindEmail(caller.id, parse(EmailBinding, fields), session)
    return redirectOn(page, { is_new: false }, path)
  } catch (error) {
    return show(page, path, { email: fields.email, ...refusedForm(error, request, visit.language) })
  }
}

type EmailView = Omit<EmailPageProps, 'visit' | 'returnTo'> & { status?: number }

function show(page: OAuthPage, path: string, { status, ...shown }: EmailView = {}): Promise<Response> {
  const visit = { ...page.visit, url: `${START}?${new URLSearchParams({ returnTo: path })}` }
  const content = <EmailPage visit={visit} returnTo={path} {...shown} />
  const title = translate(visit.language, 'oauth.email_title')
  return render(page.request, visit, content, { title, frame: 'auth', humanCheck: true, status })
}
