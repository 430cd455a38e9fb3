/** Authenticator app and recovery codes on the security page. */
import { State } from '../../client/components/badge.tsx'
import { ActionButton, PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { hasFactor, RECOVERY_CODES, type SecondFactors } from '../../src/contracts/security.ts'
import { Section, SectionRow } from '../me/section.tsx'
import { APP, securityAction, securityAt } from './view.ts'

export function AuthenticatorSection({ factors }: { factors: SecondFactors }) {
  const { t } = usePageContext()
  const { authenticator, recovery_codes } = factors
  return (
    <Section title={t('security.two_step')} help={t('security.two_step_text')}>
      <ul>
        <SectionRow
          title={t('security.app')}
          detail={
            <State tone={authenticator ? 'open' : 'fact'}>
              {t(authenticator ? 'security.app_on' : 'security.app_off')}
            </State>
          }
        >
          {authenticator ? (
            <PageLink className="btn btn-sm" href={securityAt({ remove: APP })} aria-label={t('security.app_remove')}>
              {t('security.remove')}
            </PageLink>
          ) : (
            <ActionButton action={securityAction('authenticator')} className="btn btn-sm">
              {t('security.app_set_up')}
            </ActionButton>
          )}
        </SectionRow>
        <SectionRow
          title={t('security.codes')}
          detail={
            hasFactor(factors)
              ? t('security.codes_left', { count: recovery_codes, total: RECOVERY_CODES })
              : t('security.codes_none')
          }
        >
          {hasFactor(factors) && (
            <PageLink className="btn btn-sm" href={securityAt({ codes: '' })}>
              {t('security.codes_new')}
            </PageLink>
          )}
        </SectionRow>
      </ul>
    </Section>
  )
}
