/** Tokens: the keys that machines call with, as they travel between page, API and service. */
import { z } from 'zod'
import { commaList, lineList } from '../pure/lists.ts'
import { bodyOf } from './body.ts'

export const TokenStatus = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const

/** An `expired_time` that never comes. */
export const NEVER = -1
/** The end of the year 9999: what can be written as yyyy-MM-dd. */
const LAST_MOMENT = 253_402_300_799

export const KEY_LENGTH = 48
/** How keys begin wherever people see them; not part of the key itself. */
export const KEY_PREFIX = 'sk-'
/** Characters of a key's end that its list shows and a short search finds. */
export const KEY_TAIL_LENGTH = 4
export const TOKEN_NAME_MAX = 30
const TOKENS_PER_BATCH_MAX = 100
/** More than anyone keeps apart by name; the rest of the database is for others. */
export const TOKENS_PER_USER_MAX = 10_000

/** What a new token has where its maker says nothing. */
export const tokenDefaults = {
  remain_quota: 500_000,
  unlimited_quota: false,
  expired_time: NEVER,
  rate_limit_enabled: false,
  rate_limit_period: 60,
  rate_limit_count: 1000,
  rate_limit_success: 10,
  model_limits_enabled: false,
  model_limits: '',
  allow_ips: '',
  group: '',
}

export interface Token {
  id: number
  user_id: number
  name: string
  /** Without the prefix. */
  key: string
  status: number
  remain_quota: number
  used_quota: number
  unlimited_quota: boolean
  created_time: number
  /** 0: never used. */
  accessed_time: number
  expired_time: number
  rate_limit_enabled: boolean
  rate_limit_period: number
  /** Calls and successful calls in one period; 0 is no limit. */
  rate_limit_count: number
  rate_limit_success: number
  model_limits_enabled: boolean
  /** A comma list. */
  model_limits: string
  /** One address or range a line. */
  allow_ips: string
  /** Empty: the owner's own. */
  group: string
  DeletedAt: null
}

const quota = z.int('token.quota_invalid').min(0, 'token.quota_negative')
const limit = z.int('token.limit_invalid').min(0, 'token.limit_negative')
const listOf = (split: (text: string) => string[], joint: string) =>
  z
    .string()
    .nullable()
    .transform(text => split(text ?? '').join(joint))

const fields = z.object({
  name: z
    .string('token.name_required')
    .trim()
    .min(1, 'token.name_required')
    .refine(name => [...name].length <= TOKEN_NAME_MAX, 'token.name_too_long'),
  remain_quota: quota,
  unlimited_quota: z.boolean(),
  expired_time: z
    .int('token.expiry_invalid')
    .min(NEVER, 'token.expiry_invalid')
    .max(LAST_MOMENT, 'token.expiry_invalid'),
  rate_limit_enabled: z.boolean(),
  rate_limit_period: limit,
  rate_limit_count: limit,
  rate_limit_success: limit,
  model_limits_enabled: z.boolean(),
  model_limits: listOf(commaList, ','),
  allow_ips: listOf(lineList, '\n'),
  group: z
    .string()
    .nullable()
    .transform(group => (group ?? '').trim()),
})

/** What a token has beside what its owner may write. */
const shown = ['user_id', 'key', 'created_time', 'accessed_time', 'DeletedAt']

/** POST /api/token/: absent fields take their defaults, given zeros stay. `count` makes several alike. */
export const NewToken = bodyOf(
  fields.extend({
    count: z
      .int('token.count_invalid')
      .min(1, 'token.count_invalid')
      .max(TOKENS_PER_BATCH_MAX, 'token.too_many')
      .default(1),
  }),
  [...shown, 'id', 'status', 'used_quota'],
  body => ({
    ...tokenDefaults,
    ...Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)),
  }),
)

/** PUT /api/token/: absent fields stay as they are. */
export const TokenEdit = bodyOf(
  fields.partial().extend({
    id: z.int(),
    /** What had been used when the editor looked: whatever was spent since then is taken off `remain_quota`. */
    used_quota: quota.optional(),
  }),
  [...shown, 'status'],
)

/** PUT /api/token/?status_only=true */
export const TokenSwitch = bodyOf(
  z.object({
    id: z.int(),
    status: z.literal([TokenStatus.enabled, TokenStatus.disabled], 'token.status_invalid'),
  }),
  [...shown, ...Object.keys(fields.shape), 'used_quota'],
)

export type NewToken = z.output<typeof NewToken>
export type TokenEdit = z.output<typeof TokenEdit>

type Vital = Pick<Token, 'status' | 'expired_time' | 'unlimited_quota' | 'remain_quota'>

export const isExpired = ({ expired_time }: Vital, at: number) => expired_time !== NEVER && expired_time <= at
const isExhausted = ({ unlimited_quota, remain_quota }: Vital) => !unlimited_quota && remain_quota <= 0

/** The state at this moment: a token has expired or run dry before any call has noticed it. */
export function statusAt(token: Vital, at: number): number {
  if (token.status !== TokenStatus.enabled) return token.status
  if (isExpired(token, at)) return TokenStatus.expired
  return isExhausted(token) ? TokenStatus.exhausted : token.status
}
