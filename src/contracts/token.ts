/** Tokens (API keys): fields, limits, validation and state. */
import { z } from 'zod'
import { commaList, lineList } from '../pure/lists.ts'
import { LAST_MOMENT } from '../pure/time.ts'
import { bodyOf } from './body.ts'

export const TokenStatus = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const

/** `expired_time` of a token that does not expire. */
export const NEVER = -1

/** Characters without the prefix. */
export const KEY_LENGTH = 48
/** Prefix of a displayed key; it is not stored. */
export const KEY_PREFIX = 'sk-'
/** Last characters of a key: lists show them, and a search of this length matches them. */
export const KEY_TAIL_LENGTH = 4
export const TOKEN_NAME_MAX = 30
const TOKENS_PER_BATCH_MAX = 100
/** Calls of one period. A window remembers each of them: at most 800 KB for a key. */
export const RATE_LIMIT_COUNT_MAX = 100_000
/** 30 days in seconds. */
const RATE_LIMIT_PERIOD_MAX = 2_592_000
/** Protects the database against one user. */
export const TOKENS_PER_USER_MAX = 10_000

/** Tokens that are deleted together without a confirmation: the deletion can be undone. */
export const UNDO_TOKENS_MAX = 5

/** Fields of a new token that the request leaves out. */
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
  /** Unix seconds of the last call; 0 when there was none. */
  accessed_time: number
  expired_time: number
  rate_limit_enabled: boolean
  /** Seconds. */
  rate_limit_period: number
  /** Calls, and successful calls, per period; 0 is unlimited. */
  rate_limit_count: number
  rate_limit_success: number
  model_limits_enabled: boolean
  /** Model names, separated by commas. */
  model_limits: string
  /** One IP address or range per line. */
  allow_ips: string
  /** Empty for the owner's group. */
  group: string
  DeletedAt: null
}

const quota = z.int('token.quota_invalid').min(0, 'token.quota_negative')
const limit = z.int('token.limit_invalid').min(0, 'token.limit_negative')
const count = limit.max(RATE_LIMIT_COUNT_MAX, 'token.limit_too_large')
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
  rate_limit_period: limit.max(RATE_LIMIT_PERIOD_MAX, 'token.period_too_long'),
  rate_limit_count: count,
  rate_limit_success: count,
  model_limits_enabled: z.boolean(),
  model_limits: listOf(commaList, ','),
  allow_ips: listOf(lineList, '\n'),
  group: z
    .string()
    .nullable()
    .transform(group => (group ?? '').trim()),
})

/** Fields of a token that only the server writes. */
const readOnly = ['user_id', 'key', 'created_time', 'accessed_time', 'DeletedAt']

/** POST /api/token/: absent fields take their defaults; `count` creates several. */
export const NewToken = bodyOf(
  fields.extend({
    count: z
      .int('token.count_invalid')
      .min(1, 'token.count_invalid')
      .max(TOKENS_PER_BATCH_MAX, 'token.too_many')
      .default(1),
  }),
  [...readOnly, 'id', 'status', 'used_quota'],
  body => ({
    ...tokenDefaults,
    ...Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)),
  }),
)

/** PUT /api/token/: absent fields stay unchanged. */
export const TokenEdit = bodyOf(
  fields.partial().extend({
    id: z.int(),
    /** Used quota when the editor was opened: what was spent since is subtracted from `remain_quota`. */
    used_quota: quota.optional(),
  }),
  [...readOnly, 'status'],
)

/** PUT /api/token/?status_only=true */
export const TokenSwitch = bodyOf(
  z.object({
    id: z.int(),
    status: z.literal([TokenStatus.enabled, TokenStatus.disabled], 'token.status_invalid'),
  }),
  [...readOnly, ...Object.keys(fields.shape), 'used_quota'],
)

export type NewToken = z.output<typeof NewToken>
export type TokenEdit = z.output<typeof TokenEdit>

type TokenState = Pick<Token, 'status' | 'expired_time' | 'unlimited_quota' | 'remain_quota'>

export const isExpired = ({ expired_time }: TokenState, at: number) => expired_time !== NEVER && expired_time <= at
const isExhausted = ({ unlimited_quota, remain_quota }: TokenState) => !unlimited_quota && remain_quota <= 0

/** The status at a time: a token may be expired or exhausted before a call has stored that. */
export function statusAt(token: TokenState, at: number): number {
  if (token.status !== TokenStatus.enabled) return token.status
  if (isExpired(token, at)) return TokenStatus.expired
  return isExhausted(token) ? TokenStatus.exhausted : token.status
}
