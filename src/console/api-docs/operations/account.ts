/** Operations of sign-in, registration and the signed-in user's account. */
import { z } from 'zod'
import { Login, Setup } from '../../../contracts/account.ts'
import { EmailBinding, StateQuery, TelegramFields, WeChatCode } from '../../../contracts/oauth.ts'
import { PasswordReset, ResetQuery } from '../../../contracts/password-reset.ts'
import { ProfileEdit } from '../../../contracts/profile.ts'
import { Registration } from '../../../contracts/registration.ts'
import { ConfirmBody, CredentialBody, SecondFactorBody, TicketBody } from '../../../contracts/security.ts'
import { SettingEdit } from '../../../contracts/user-setting.ts'
import { UserAnswer } from '../answers.ts'
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
    'GET /api/setup': { summary: 'Whether the installation is set up.' },
    'POST /api/setup': { summary: 'Creates the root account of a new installation.', body: Setup },
    'POST /api/user/login': {
      summary: 'Signs in with username and password.',
      description: signsIn,
      query: Human,
      body: Login,
      data: SignedIn,
      example: { username: 'ann', password: 'correct horse' },
    },
    'POST /api/user/login/second-factor': {
      summary: 'Finishes a sign-in with a code or a passkey.',
      body: SecondFactorBody,
    },
    'POST /api/user/login/second-factor/challenge': {
      summary: 'Challenge for a passkey as second factor.',
      body: TicketBody,
    },
    'POST /api/user/login/passkey': { summary: 'Signs in with a passkey.', body: CredentialBody },
    'POST /api/user/login/passkey/challenge': { summary: 'Challenge for a sign-in with a passkey.' },
    'GET /api/user/logout': { has_effect: true, summary: 'Ends the session of this browser.' },
    'POST /api/user/register': {
      summary: 'Creates an account.',
      query: Human,
      body: Registration,
      example: { username: 'ann', password: 'correct horse' },
    },
    'GET /api/verification': {
      has_effect: true,
      summary: 'Mails a code that proves an e-mail address.',
      query: Mailing,
    },
    'GET /api/reset_password': {
      has_effect: true,
      summary: 'Mails a link for a new password.',
      query: Mailing.extend(ResetQuery.shape),
    },
    'POST /api/user/reset': {
      summary: 'Sets a new random password with the token of a mailed link, and returns it.',
      query: Human,
      body: PasswordReset,
      data: z.string(),
    },
    'GET /api/user/self': { summary: 'The signed-in user.', data: z.looseObject(UserAnswer.partial().shape) },
    'PUT /api/user/self': {
      summary: 'Changes username, display name or password.',
      description: 'Empty fields stay unchanged. A new password needs `original_password`.',
      body: ProfileEdit,
      example: { display_name: 'Ann' },
    },
    'DELETE /api/user/self': { summary: 'Deletes the own account.' },
    'PUT /api/user/setting': {
      summary: 'Changes notifications and the permission of models without a price.',
      description: 'Absent fields stay unchanged.',
      body: SettingEdit,
      example: { notify_type: 'email', quota_warning_threshold: 500000 },
    },
    'GET /api/user/token': {
      has_effect: true,
      summary: 'Issues a new access token; the old one ends.',
      data: z.string(),
    },
    'POST /api/user/confirm': {
      summary: 'Confirms the session with a password or a second factor.',
      description: 'Dangerous operations need this within the last minutes. Access tokens cannot confirm.',
      body: ConfirmBody,
    },
    'POST /api/user/confirm/challenge': { summary: 'Challenge for a confirmation with a passkey.' },
    'GET /api/oauth/state': {
      has_effect: true,
      summary: 'State for a sign-in by a login provider.',
      query: StateQuery,
      data: z.string(),
    },
    'GET /api/oauth/:provider': {
      has_effect: true,
      summary: 'Signs in or binds with the code of a login provider.',
      query: Callback,
    },
    'GET /api/oauth/wechat': { has_effect: true, summary: 'Signs in with a code of WeChat.', query: WeChatCode },
    'GET /api/oauth/wechat/bind': { has_effect: true, summary: 'Binds WeChat.', query: WeChatCode },
    'GET /api/oauth/email/bind': {
      has_effect: true,
      summary: 'Binds an e-mail address with its code.',
      query: Recipient,
    },
    'GET /api/oauth/telegram/login': { has_effect: true, summary: 'Signs in with Telegram.', query: TelegramFields },
    'GET /api/oauth/telegram/bind': { has_effect: true, summary: 'Binds Telegram.', query: TelegramFields },
    'DELETE /api/oauth/:provider': { summary: 'Removes a binding.' },
  },
}
