/** Page that binds an e-mail address: the address, the code that is mailed to it, and the binding. */
import { Form } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { HumanCheck } from '../human-check/human-check.tsx'
import { Problem } from '../layout/auth-layout.tsx'
import { EmailFields } from '../registration/email-fields.tsx'
import { ProviderPage, type ProviderPageProps } from './provider-page.tsx'

export interface EmailPageProps extends ProviderPageProps {
  email?: string
  errors?: Record<string, string>
  /** A message that concerns no field. */
  problem?: string
  /** A code was just sent. */
  sent?: boolean
  /** Seconds until the next code. */
  wait?: number
}

export function EmailPage({ email = '', errors, problem, sent, wait, ...page }: EmailPageProps) {
  const { t } = usePageContext()
  return (
    <ProviderPage {...page} title={t('oauth.email_title')} lead={t('oauth.email_lead')}>
      {problem && <Problem>{problem}</Problem>}
      <Form action="/oauth/email" fullPage values={{ email }} errors={errors} returnTo={page.returnTo}>
        <EmailFields
          action="/oauth/email"
          code="code"
          email={email}
          sent={sent}
          wait={wait}
          autoFocus={!sent && !errors}
        />
        <HumanCheck visit={page.visit} />
        <button type="submit" className="btn btn-primary">
          {t('oauth.bind')}
        </button>
      </Form>
    </ProviderPage>
  )
}
