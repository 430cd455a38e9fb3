/** Tab of the personal settings: when and how the user is notified. */

import { ChoiceField } from '../../client/components/choice.tsx'
import { TextField } from '../../client/components/field.tsx'
import { Form } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { SecretField } from '../../client/components/secret.tsx'
import { balanceText, fromQuota } from '../../src/billing/quota.ts'
import { ME_PATH } from '../../src/contracts/profile.ts'
import { NOTIFY_TYPES, THRESHOLD_PRESETS } from '../../src/contracts/user-setting.ts'
import type { Visit } from '../../src/contracts/visit.ts'
import { Section } from './section.tsx'
import { MeTabs } from './tabs.tsx'

interface NotificationsProps {
  visit: Visit
  values: Record<string, string>
  errors: Record<string, string>
  /** Address of the account; empty for none. */
  email: string
  hasSecret: boolean
  /** A webhook is stored: it can be tested. */
  hasWebhook: boolean
  /** Amount below which the site warns a user who has saved none. */
  siteThreshold?: string
}

export function Notifications({
  visit,
  values,
  errors,
  email,
  hasSecret,
  hasWebhook,
  siteThreshold,
}: NotificationsProps) {
  const { t, currency } = usePageContext()
  const presets = THRESHOLD_PRESETS.map(quota => ({
    value: fromQuota(quota, currency),
    label: balanceText(quota, currency),
  }))
  return (
    <>
      <MeTabs visit={visit} current="notifications" />
      <div className="sections">
        <Form action={`${ME_PATH}/notifications`} values={values} errors={errors} className="contents">
          <Section title={t('me.low_balance')} help={t('me.low_balance_help')}>
            <TextField
              name="quota_warning_threshold"
              label={t('me.threshold')}
              unit={currency.display_in_currency ? 'USD' : t('token.quota_unit')}
              number
              required
              inputMode="decimal"
              autoComplete="off"
              presets={presets}
              help={siteThreshold && t('me.threshold_site', { amount: siteThreshold })}
              className="max-w-80"
            />
          </Section>
          <Section title={t('me.notify')}>
            <ChoiceField
              name="notify_type"
              label={t('me.notify_by')}
              choices={NOTIFY_TYPES.map(type => ({
                value: type,
                label: t(`me.notify_${type}`),
                help: t(`me.notify_${type}_help`),
              }))}
            />
            <TextField
              name="notification_email"
              type="email"
              label={t('me.notification_email')}
              placeholder={email}
              help={email ? t('me.notification_email_help', { email }) : t('me.notification_email_none')}
              autoComplete="email"
            />
            <TextField
              name="webhook_url"
              type="url"
              label={t('me.webhook_url')}
              placeholder="https://"
              help={t('me.webhook_help')}
              autoComplete="off"
              spellCheck={false}
              mono
            />
            <SecretField
              name="webhook_secret"
              label={t('me.webhook_secret')}
              help={t('me.webhook_secret_help')}
              isSet={hasSecret}
            />
            <span className="flex gap-2">
              <button type="submit" className="btn btn-primary">
                {t('ui.save')}
              </button>
              {hasWebhook && (
                <button type="submit" form="webhook-test" className="btn">
                  {t('me.webhook_test')}
                </button>
              )}
            </span>
          </Section>
        </Form>
      </div>
      {hasWebhook && (
        <Form id="webhook-test" action={`${ME_PATH}/notifications/test`}>
          {null}
        </Form>
      )}
    </>
  )
}
