/** Users: roles, states, and the fields of sign-in and setup. */
import { z } from 'zod'
import { bodyOf } from './body.ts'

export const Role = { visitor: 0, user: 1, admin: 10, root: 100 } as const
export type Role = (typeof Role)[keyof typeof Role]

export const UserStatus = { enabled: 1, banned: 2 } as const

export const USERNAME_MAX = 12
export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 20
/** A session ends 30 days after the sign-in, and after 7 days without a request. */
export const SESSION_SECONDS = 2_592_000
export const SESSION_IDLE_SECONDS = 604_800

/** Tollgate never creates this account; an imported database may have it. */
export const DEFAULT_ROOT = { username: 'root', password: '123456' }

/** Starting balance of the root account, recorded in the ledger. */
export const ROOT_QUOTA = 100_000_000

/** Letters of one of these scripts, digits and `_.-`: letters of two scripts can look alike, as Latin and Cyrillic a do. */
const scripts = ['A-Za-z', '\\p{sc=Han}', '\\p{scx=Hira}', '\\p{scx=Kana}', '\\p{sc=Hang}']
const usernamePattern = new RegExp(`^(${scripts.map(letters => `[[[${letters}]&&\\p{L}]\\d_.\\-]*`).join('|')})$`, 'v')

/** Characters of a text, whatever their bytes. */
const lengthOf = (text: string) => [...text].length

export const Username = z
  .string('account.username_required')
  .trim()
  .min(1, 'account.username_required')
  .refine(name => lengthOf(name) <= USERNAME_MAX, 'account.username_too_long')
  .refine(name => usernamePattern.test(name) && name === name.normalize('NFKC'), 'account.username_characters')

/** A name as it is compared: in any case, and in any spelling of its characters. */
export const foldName = (name: string): string => name.normalize('NFKC').toLowerCase()

export const Password = z
  .string('account.password_short')
  .refine(password => lengthOf(password) >= PASSWORD_MIN, 'account.password_short')
  .refine(password => lengthOf(password) <= PASSWORD_MAX, 'account.password_long')

/** Characters; longer sign-in fields are refused without a look at the database. */
const LOGIN_FIELD_MAX = 256

const loginField = z.string('account.login_required').max(LOGIN_FIELD_MAX, 'account.login_wrong')

export const Login = bodyOf(
  z.object({
    username: loginField.trim().min(1, 'account.login_required'),
    password: loginField.min(1, 'account.login_required'),
  }),
)

/** A JSON boolean, or its text in a form. */
const Flag = z.union([z.boolean(), z.enum(['true', 'false', 'on']).transform(text => text !== 'false')])

/** `RootAccount` checks the account separately: an imported database has one already. */
export const Setup = bodyOf(
  z.object({
    username: z.string().trim().default(''),
    password: z.string().default(''),
    confirmPassword: z.string().default(''),
    /** The environment variable `SETUP_TOKEN`, where it is set. */
    setup_token: z.string().default(''),
    SelfUseModeEnabled: Flag.default(false),
    DemoSiteEnabled: Flag.default(false),
  }),
)

export const RootAccount = z
  .object({ username: Username, password: Password, confirmPassword: z.string() })
  .refine(account => account.password === account.confirmPassword, {
    message: 'account.passwords_differ',
    path: ['confirmPassword'],
  })

/** The signed-in user of a request. */
export interface SessionUser {
  id: number
  username: string
  display_name: string
  role: number
  group: string
}

/** What a session cookie proves. */
export interface SessionClaims {
  user_id: number
  session_id: string
}
