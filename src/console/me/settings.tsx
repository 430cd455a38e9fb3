/** The tabs of notifications and prices. */
import { z } from 'zod'
import { Notifications } from '../../../views/me/notifications.tsx'
import { PriceSettings } from '../../../views/me/prices.tsx'
import { meTabAt } from '../../../views/me/view.ts'
import { balanceText, fromQuota, toQuota } from '../../billing/quota.ts'
import { numberOf } from '../../contracts/fields.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { SettingEdit, type UserSetting } from '../../contracts/user-setting.ts'
import type { Visit } from '../../contracts/visit.ts'
import { sendWebhook } from '../../domain/notices/index.ts'
import { option } from '../../domain/options/index.ts'
import { anyUser, changeSetting, settingOf, storedSetting, userSetting } from '../../domain/users/index.ts'
import { translate } from '../../locales/index.ts'
import { errorsOf, text } from '../../web/forms.ts'
import { checkLimit } from '../../web/ip-rate-limit.ts'
import { redirectTo } from '../page.tsx'
import { pageAt } from '../visit.ts'
import { done, type MeRequest, renderTab } from './tab.tsx'

/** A refused form: what was typed, and its errors. */
interface RefusedForm {
  values: Record<string, string>
  errors: Record<string, string>
}

export async function showNotifications(page: MeRequest, refused?: RefusedForm) {
  const user = (await anyUser(page.caller.id))!
  const setting = settingOf(user)
  const content = (
    <Notifications
      visit={page.visit}
      values={refused?.values ?? notificationValues(setting, page.visit)}
      errors={refused?.errors ?? {}}
      email={user.email}
      hasSecret={setting.webhook_secret !== ''}
      hasWebhook={setting.webhook_url !== ''}
      siteThreshold={
        storedSetting(user).quota_warning_threshold === undefined
          ? balanceText(option('QuotaRemindThreshold'), page.visit.status)
          : undefined
      }
    />
  )
  return renderTab(page, content, refused !== undefined)
}

const notificationValues = (setting: UserSetting, { status }: Visit) => ({
  notify_type: setting.notify_type,
  quota_warning_threshold: fromQuota(setting.quota_warning_threshold, status),
  notification_email: setting.notification_email,
  webhook_url: setting.webhook_url,
})

const NotificationForm = z.object({
  notify_type: text,
  quota_warning_threshold: text,
  notification_email: text,
  webhook_url: text,
  webhook_secret: text,
})

export async function saveNotifications(page: MeRequest): Promise<Response> {
  const path = meTabAt('notifications')
  const { webhook_secret, ...values } = NotificationForm.parse(page.body)
  try {
    const quota_warning_threshold = toQuota(numberOf(values.quota_warning_threshold), page.visit.status)
    const edit = SettingEdit.parse({ ...values, quota_warning_threshold, webhook_secret })
    await changeSetting(page.caller.id, edit, page.visit.language)
    return done(page, path, 'me.saved')
  } catch (error) {
    return showNotifications(pageAt(page, path), { values, errors: errorsOf(error, page.visit.language) })
  }
}

export async function testWebhook(page: MeRequest): Promise<Response> {
  const { caller, visit, request, server } = page
  await checkLimit('critical', request, server, 'webhook-test')
  const path = meTabAt('notifications')
  const [title, content] = [
    translate(visit.language, 'me.webhook_test_title'),
    translate(visit.language, 'me.webhook_test_content', { site: visit.status.system_name }),
  ]
  try {
    if (await sendWebhook(await userSetting(caller.id), { type: 'test', title, content }))
      return done(page, path, 'me.webhook_delivered')
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
  return redirectTo(path, { kind: 'error', text: translate(visit.language, 'me.webhook_not_delivered') })
}

export async function showPrices(page: MeRequest): Promise<Response> {
  const { accept_unset_model_ratio_model: accepts } = await userSetting(page.caller.id)
  return renderTab(page, <PriceSettings visit={page.visit} accepts={accepts} />)
}

const PriceForm = z.object({ accept_unset_model_ratio_model: text })

export async function savePrices(page: MeRequest): Promise<Response> {
  const accepts = PriceForm.parse(page.body).accept_unset_model_ratio_model !== ''
  await changeSetting(page.caller.id, { accept_unset_model_ratio_model: accepts }, page.visit.language)
  return done(page, meTabAt('prices'), 'me.saved')
}
