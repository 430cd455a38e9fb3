/** Options of sign-in and registration. They can shut root out, or let anyone in. */
import { flag, section } from './declare.ts'

export const signIn = section({
  tab: 'system',
  root: true,
  options: {
    PasswordLoginEnabled: flag(true),
    PasswordRegisterEnabled: flag(true, { publicAs: 'password_registration' }),
    EmailVerificationEnabled: flag(false, { publicAs: 'email_verification' }),
    RegisterEnabled: flag(true),
    AdminTwoFactorRequired: flag(false),
  },
})
