/** Users as administrators list, create and change them. */
import { z } from 'zod'
import { Password, Username } from './account.ts'
import { bodyOf } from './body.ts'
import { optional } from './paging.ts'
import { TOKENS_PER_MINUTE_MAX } from './token.ts'

export const USERS_PATH = '/admin/users'
export const DISPLAY_NAME_MAX = 20

/** A user in the API, without hashes and settings. */
export const UserView = z
  .object({
    id: z.int(),
    username: z.string(),
    display_name: z.string(),
    role: z.int().describe('1 user, 10 administrator, 100 root.'),
    status: z.int().describe('1 enabled, 2 banned.'),
    email: z.string(),
    /** Ids at login providers, empty when not bound. */
    github_id: z.string(),
    oidc_id: z.string(),
    linux_do_id: z.string(),
    wechat_id: z.string(),
    telegram_id: z.string(),
    group: z.string(),
    quota: z.int().describe('Balance.'),
    /** The balance again: sent back with a changed `quota`, it tells which balance the change was made from. */
    quota_read: z.int(),
    used_quota: z.int(),
    request_count: z.int(),
    /** Empty until it is first shown. */
    aff_code: z.string(),
    aff_count: z.int(),
    aff_quota: z.int(),
    aff_history_quota: z.int(),
    /** 0 for none. */
    inviter_id: z.int(),
    /** Start of the UTC day of the last check-in. */
    last_check_in_time: z.string().nullable(),
    /** Concurrent calls; 0 for the limit of the site. */
    concurrency_limit: z.int(),
    /** Tokens in any 60 seconds; 0 for the limit of the site. */
    tokens_per_minute: z.int(),
    /** When the user was deregistered. */
    DeletedAt: z.string().nullable(),
  })
  .meta({ id: 'User' })
export type UserView = z.output<typeof UserView>

/** A user of a list, with unix seconds; 0 for unknown. */
export interface DatedUser extends UserView {
  created_time: number
  last_seen: number
}

export const DisplayName = z
  .string()
  .trim()
  .refine(name => [...name].length <= DISPLAY_NAME_MAX, 'user.display_name_too_long')
  .regex(/^\P{C}*$/u, 'user.display_name_characters')

const quota = z.int('user.quota_invalid')

/** Fields with forms or calls of their own. They may be sent back as they were read. */
const fixed = z.object({
  role: z.int(),
  status: z.int(),
  email: z.string(),
  github_id: z.string(),
  oidc_id: z.string(),
  linux_do_id: z.string(),
  wechat_id: z.string(),
  telegram_id: z.string(),
  inviter_id: z.int(),
})
export const fixedFields = Object.keys(fixed.shape) as (keyof typeof fixed.shape)[]

const returned = Object.keys(UserView.shape)

const withoutBlankPassword = ({ password, ...body }: Record<string, unknown>) =>
  password === '' || password === undefined ? body : { ...body, password }

/** PUT /api/user/: absent fields stay unchanged, and so does the password when it is empty. */
export const UserEdit = bodyOf(
  fixed
    .extend({
      /** An unchanged name is not checked: names that the site generated may be longer. */
      username: z.string().trim().min(1, 'account.username_required'),
      display_name: DisplayName,
      password: Password,
      group: z.string().trim().min(1, 'user.group_required'),
      concurrency_limit: z.int('user.concurrency_invalid').min(0, 'user.concurrency_invalid'),
      tokens_per_minute: z
        .int('user.tokens_invalid')
        .min(0, 'user.tokens_invalid')
        .max(TOKENS_PER_MINUTE_MAX, 'user.tokens_invalid'),
      /** New balance. With `quota_read` it is refused when the balance is no longer that. */
      quota,
      quota_read: quota,
      /** Added to the balance; may be negative. */
      quota_delta: quota,
    })
    .partial()
    .extend({ id: z.int() }),
  returned,
  withoutBlankPassword,
)
export type UserEdit = z.output<typeof UserEdit>

/** POST /api/user/ */
export const UserCreation = bodyOf(
  z.object({
    username: Username,
    password: Password,
    /** Empty or absent: the username. */
    display_name: DisplayName.default(''),
    /** New users have the role of ordinary users; any other is refused. */
    role: z.int().optional(),
  }),
)
export type UserCreation = z.output<typeof UserCreation>

const userActions = ['promote', 'demote', 'disable', 'enable', 'delete'] as const
export type UserAction = (typeof userActions)[number]

/** POST /api/user/manage */
export const UserManagement = bodyOf(z.object({ id: z.int(), action: z.enum(userActions, 'user.action_unknown') }))

export const userStates = ['enabled', 'banned', 'gone'] as const
export type UserStateName = (typeof userStates)[number]

/** A list begins with the most; after a minus with the least. */
export const userSorts = ['spent', '-spent', 'left', '-left', 'calls', '-calls', 'seen', '-seen'] as const
export type UserSort = (typeof userSorts)[number]

const whole = z.coerce.number().pipe(z.int()).optional().catch(undefined)

/** `keyword` is a part of a name or of an email address, or a whole id; the others are exact. */
export const UserFilter = z.object({
  keyword: optional,
  group: optional,
  state: z.enum(userStates).optional().catch(undefined).describe('`gone` for deregistered users.'),
  role: whole,
  below: whole.describe('Balances below this quota.'),
  sort: z
    .enum(userSorts)
    .optional()
    .catch(undefined)
    .describe('The most first, after a minus the least; the newest users without it.'),
})
export type UserFilter = Partial<z.output<typeof UserFilter>>

export const UserQuery = UserFilter.extend({ p: optional, page_size: optional })
