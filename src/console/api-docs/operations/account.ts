/** Operations of sign-in, registration and the signed-in user's account. */
import { z } from 'zod'
import { Login, Setup } from '../../../contracts/account.ts'
import { EmailBinding, StateQuery, TelegramFields, WeChatCode } from '../../../contracts/oauth.ts'
import { PasswordReset, ResetQuery } from '../../../contracts/password-reset.ts'
import { ProfileEdit } from '../../../contracts/profile.ts'
import { Registration } from '../../../contracts/registration.ts'
import { ConfirmBody, CredentialBody, SecondFactorBody, TicketBody } from '../../../contracts/security.ts'
import { UserView } from '../../../contracts/user.ts'
import { SettingEdit } from '../../../contracts/user-setting.ts'
import type { OperationGroup } from './notes.ts'

const turnstile = z.string().optional().describe('Token of the human check, where the site asks for it.')
const Human = z.object({ turnstile })
const Mailing = z.object({ email: z.string(), turnstile })
const Callback = z.object({ code: z.string(), state: z.string() })
const Recipient = EmailBinding.extend({ email: z.string() })

const SignedIn = z.object({
  id: z.int(),
  username: z.string(),
  display_name: z.string(),
  role: z.int(),
  status: z.int(),
  group: z.string(),
})
const signsIn =
  'Sets the session cookie. An account with a second factor is answered with `success: false`, the code ' +
  '`security.second_factor_required` and a ticket.'

export const account: OperationGroup = {
  noun: 'account',
  title: 'Account and sign-in',
  operations: {
    'GET /api/setup': { summary: 'operation.setup_state' },
    'POST /api/setup': { summary: 'operation.set_up', body: Setup },
    'POST /api/user/login': {
      summary: 'operation.sign_in',
      description: signsIn,
      query: Human,
      body: Login,
      data: SignedIn,
      example: { username: 'ann', password: 'correct horse' },
    },
    'POST /api/user/login/second-factor': {
      summary: 'operation.sign_in_finish',
      body: SecondFactorBody,
    },
    'POST /api/user/login/second-factor/challenge': {
      summary: 'operation.second_factor_challenge',
      body: TicketBody,
    },
    'POST /api/user/login/passkey': { summary: 'operation.passkey_sign_in', body: CredentialBody },
    'POST /api/user/login/passkey/challenge': { summary: 'operation.passkey_sign_in_challenge' },
    'GET /api/user/logout': { has_effect: true, summary: 'operation.sign_out' },
    'POST /api/user/register': {
      summary: 'operation.register',
      query: Human,
      body: Registration,
      example: { username: 'ann', password: 'correct horse' },
    },
    'GET /api/verification': {
      has_effect: true,
      summary: 'operation.mail_code',
      query: Mailing,
    },
    'GET /api/reset_password': {
      has_effect: true,
      summary: 'operation.mail_reset',
      query: Mailing.extend(ResetQuery.shape),
    },
    'POST /api/user/reset': {
      summary: 'operation.reset_password',
      query: Human,
      body: PasswordReset,
      data: z.string(),
    },
    'GET /api/user/self': { summary: 'operation.self', data: z.looseObject(UserView.partial().shape) },
    'PUT /api/user/self': {
      summary: 'operation.self_edit',
      description: 'Empty fields stay unchanged. A new password needs `original_password`.',
      body: ProfileEdit,
      example: { display_name: 'Ann' },
    },
    'DELETE /api/user/self': { summary: 'operation.self_delete' },
    'PUT /api/user/setting': {
      summary: 'operation.self_setting',
      description: 'Absent fields stay unchanged.',
      body: SettingEdit,
      example: { notify_type: 'email', quota_warning_threshold: 500000 },
    },
    'GET /api/user/token': {
      has_effect: true,
      summary: 'operation.access_token',
      data: z.string(),
    },
    'POST /api/user/confirm': {
      summary: 'operation.confirm',
      description: 'Dangerous operations need this within the last minutes. Access tokens cannot confirm.',
      body: ConfirmBody,
    },
    'POST /api/user/confirm/challenge': { summary: 'operation.confirm_challenge' },
    'GET /api/oauth/state': {
      has_effect: true,
      summary: 'operation.oauth_state',
      query: StateQuery,
      data: z.string(),
    },
    'GET /api/oauth/:provider': {
      has_effect: true,
      summary: 'operation.oauth',
      query: Callback,
    },
    'GET /api/oauth/wechat': { has_effect: true, summary: 'operation.wechat_sign_in', query: WeChatCode },
    'GET /api/oauth/wechat/bind': { has_effect: true, summary: 'operation.wechat_bind', query: WeChatCode },
    'GET /api/oauth/email/bind': {
      has_effect: true,
      summary: 'operation.email_bind',
      query: Recipient,
    },
    'GET /api/oauth/telegram/login': { has_effect: true, summary: 'operation.telegram_sign_in', query: TelegramFields },
    'GET /api/oauth/telegram/bind': { has_effect: true, summary: 'operation.telegram_bind', query: TelegramFields },
    'DELETE /api/oauth/:provider': { summary: 'operation.unbind' },
  },
}
