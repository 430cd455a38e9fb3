/** Settings of a user: how they are notified, and whether models without a price may be called. */
import { z } from 'zod'
import { isWebAddress } from './address.ts'
import { bodyOf } from './body.ts'
import { EmailAddress } from './mail.ts'

export const NOTIFY_TYPES = ['email', 'webhook'] as const

/** Quota of the buttons beside the warning threshold. */
export const THRESHOLD_PRESETS = [100_000, 500_000, 1_000_000, 5_000_000] as const

const THRESHOLD_DEFAULT = 500_000
const URL_MAX = 500
const SECRET_MAX = 200

export interface UserSetting {
  notify_type: (typeof NOTIFY_TYPES)[number]
  /** Quota; a balance below it is reported. */
  quota_warning_threshold: number
  /** https URL; empty for none. */
  webhook_url: string
  webhook_secret: string
  /** Empty for the address of the account. */
  notification_email: string
  accept_unset_model_ratio_model: boolean
}

export const settingDefaults: UserSetting = {
  notify_type: 'email',
  quota_warning_threshold: THRESHOLD_DEFAULT,
  webhook_url: '',
  webhook_secret: '',
  notification_email: '',
  accept_unset_model_ratio_model: false,
}

/** Shown in place of a stored webhook secret; sent back, it keeps the secret. */
export const SECRET_MASK = '********'

const WebhookUrl = z
  .string('me.webhook_invalid')
  .trim()
  .max(URL_MAX, 'me.webhook_invalid')
  .refine(url => url === '' || isHttps(url), 'me.webhook_invalid')

function isHttps(address: string): boolean {
  const url = URL.parse(address)
  return isWebAddress(address) && url?.protocol === 'https:' && url.username === '' && url.password === ''
}

/** PUT /api/user/setting: absent fields stay unchanged, and an empty secret keeps the stored one. */
export const SettingEdit = bodyOf(
  z
    .object({
      notify_type: z.enum(NOTIFY_TYPES, 'me.notify_type_invalid'),
      quota_warning_threshold: z.int('me.threshold_invalid').min(1, 'me.threshold_invalid'),
      webhook_url: WebhookUrl,
      webhook_secret: z.string().trim().max(SECRET_MAX, 'me.secret_long'),
      notification_email: z.union([z.literal(''), EmailAddress], 'mail.bad_address'),
      accept_unset_model_ratio_model: z.boolean(),
    })
    .partial(),
)
export type SettingEdit = z.output<typeof SettingEdit>
