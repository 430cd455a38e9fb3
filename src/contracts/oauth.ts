/** Sign-in by login providers and the bindings of a user: names, queries and forms. */
import { z } from 'zod'
import { EmailAddress } from './mail.ts'
import { CODE_LENGTH } from './registration.ts'

/** Providers that send the browser back with a code. */
const codeProviders = ['github', 'oidc', 'linuxdo'] as const
export type CodeProviderName = (typeof codeProviders)[number]

const loginProviders = [...codeProviders, 'wechat', 'telegram'] as const
export type LoginProviderName = (typeof loginProviders)[number]

/** In the order of the settings page. */
export const bindingNames = ['email', 'wechat', 'github', 'oidc', 'telegram', 'linuxdo'] as const
export type BindingName = (typeof bindingNames)[number]

/** What a user has bound, as the settings page shows it. */
export interface Binding {
  name: BindingName
  /** The address or the provider's id, masked; empty when not bound. */
  bound: string
  /** Whether it can be bound: the operator has set it up. */
  is_enabled: boolean
  /** Whether another way to sign in remains without it. */
  is_removable: boolean
}

export const ByCodeProvider = z.object({ provider: z.enum(codeProviders) })
export const ByBinding = z.object({ provider: z.enum(bindingNames) })

const WECHAT_CODE_MAX = 64

export const WeChatCode = z.object({
  code: z
    .string('oauth.code_required')
    .trim()
    .min(1, 'oauth.code_required')
    .max(WECHAT_CODE_MAX, 'oauth.code_wrong')
    .regex(/^[\x21-\x7e]+$/, 'oauth.code_wrong'),
})

export const EmailBinding = z.object({
  email: EmailAddress,
  code: z
    .string('oauth.code_required')
    .trim()
    .min(1, 'oauth.code_required')
    .max(CODE_LENGTH, 'registration.code_wrong'),
})

/** A state of the API may be bound to the provider that it is for, and carry an invitation code. */
export const StateQuery = z.object({ provider: z.enum(codeProviders).optional(), aff: z.string().optional() })

/**
 * Line breaks separate the fields that Telegram signs: in a value they would make another field of its rest. Other invisible
 * characters are parts of names, as the joiner in many emoji is.
 */
const telegramText = z
  .string()
  .max(1024)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'oauth.telegram_invalid')
  .optional()

/** What Telegram's widget hands over. `lang` is the client's own and not signed. */
export const TelegramFields = z.strictObject({
  id: z.string('oauth.telegram_invalid').regex(/^\d{1,20}$/, 'oauth.telegram_invalid'),
  first_name: telegramText,
  last_name: telegramText,
  username: telegramText,
  photo_url: telegramText,
  auth_date: z.string('oauth.telegram_invalid').regex(/^\d{1,12}$/, 'oauth.telegram_invalid'),
  hash: z.string('oauth.telegram_invalid').regex(/^[0-9a-f]{64}$/, 'oauth.telegram_invalid'),
  lang: z.string().optional(),
})
export type TelegramFields = z.output<typeof TelegramFields>
