/** Test of the mail server: one mail, sent at once with the saved settings. */
import { MailTest } from '../../../views/settings/mail-test.tsx'
import { TestMail } from '../../contracts/mail.ts'
import { parse } from '../../contracts/parse.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { sendNow } from '../../domain/mail/index.ts'
import { translator } from '../../locales/index.ts'
import { formFields } from '../../web/forms.ts'
import type { PageRequest } from '../list-page.ts'
import { renderPart, wantsPart } from '../page.tsx'
import { showTab } from './pages.tsx'
import { openTab } from './request.ts'

export async function testMail(page: PageRequest): Promise<Response> {
  const { visit, request } = page
  const { to = '' } = formFields(page.body)
  const outcome = await outcomeOf(page, to)
  const status = outcome.ok ? 200 : 422
  if (wantsPart(request)) return renderPart(visit, <MailTest to={to} outcome={outcome} />, status)
  return showTab({ ...openTab(page, 'system'), outcome })
}

async function outcomeOf({ visit: { language } }: PageRequest, typed: string) {
  const t = translator(language)
  try {
    const { to } = parse(TestMail, { to: typed })
    await sendNow({ to: to!, kind: 'test', language })
    return { of: 'mail' as const, ok: true, text: t('assist.mail_sent', { to: to! }) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { of: 'mail' as const, ok: false, text: t(error.code, error.params) }
  }
}
