/** The account in its owner's hands: profile, password, deletion. */
import { z } from 'zod'
import { Password, Username } from './account.ts'
import { bodyOf } from './body.ts'
import { DisplayName } from './user.ts'

export const ME_PATH = '/app/me'

/** Characters; a longer one is wrong without a look at the database. */
const ORIGINAL_PASSWORD_MAX = 256

/** Fields of GET /api/user/self that a client may send back; they are ignored. */
const readOnly = [
  ...['id', 'role', 'status', 'email', 'github_id', 'oidc_id', 'wechat_id', 'telegram_id', 'linux_do_id'],
  ...['quota', 'used_quota', 'request_count', 'group', 'aff_code', 'aff_count', 'aff_quota', 'aff_history_quota'],
  ...['inviter_id', 'DeletedAt', 'setting', 'last_check_in_time', 'quota_read', 'concurrency_limit'],
  'tokens_per_minute',
  ...['access_token', 'verification_code'],
]

/** PUT /api/user/self: empty fields stay unchanged. */
export const ProfileEdit = bodyOf(
  z
    .object({
      username: z.union([z.literal(''), Username]),
      display_name: DisplayName,
      password: z.union([z.literal(''), Password]),
      original_password: z.string().max(ORIGINAL_PASSWORD_MAX, 'me.original_password_wrong'),
    })
    .partial(),
  readOnly,
)
export type ProfileEdit = z.output<typeof ProfileEdit>

/** The form of a new password. */
export const NewPassword = z
  .object({ original_password: z.string().default(''), password: Password, password2: z.string() })
  .refine(form => form.password === form.password2, { message: 'account.passwords_differ', path: ['password2'] })
