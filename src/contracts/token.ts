/** Tokens (API keys): fields, limits, validation and state. */
import { z } from 'zod'
import { commaList, lineList } from '../pure/lists.ts'
import { LAST_MOMENT } from '../pure/time.ts'
import { bodyOf } from './body.ts'
import { amount, fieldsOf, flag, line, moment, whole } from './fields.ts'

export const TokenStatus = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const

/** `expired_time` of a token that does not expire. */
export const NEVER = -1

/** Characters without the prefix. */
export const KEY_LENGTH = 48
/** Characters of a key that came from another gateway. */
export const KEY_LENGTH_MAX = 128
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
/** Of a key or a user, in any 60 seconds. */
export const TOKENS_PER_MINUTE_MAX = 1_000_000_000
/** Protects the database against one user. */
export const TOKENS_PER_USER_MAX = 10_000

/** Groups of one key beside the first. */
export const FALLBACK_GROUPS_MAX = 8

/** Tokens that are deleted together without a confirmation: the deletion can be undone. */
export const UNDO_TOKENS_MAX = 5

const quota = z.int('token.quota_invalid').min(0, 'token.quota_negative')
const limit = z.int('token.limit_invalid').min(0, 'token.limit_negative')
const count = limit.max(RATE_LIMIT_COUNT_MAX, 'token.limit_too_large')
const listOf = (split: (text: string) => string[], joint: string) =>
  z
    .string()
    .nullable()
    .transform(text => split(text ?? '').join(joint))

const expiry = z.int('token.expiry_invalid').min(NEVER, 'token.expiry_invalid').max(LAST_MOMENT, 'token.expiry_invalid')

/** What the owner sets. The name has no default. */
export const tokenFields = fieldsOf({
  name: line(
    z
      .string('token.name_required')
      .trim()
      .min(1, 'token.name_required')
      .refine(name => [...name].length <= TOKEN_NAME_MAX, 'token.name_too_long'),
  ),
  remain_quota: amount(quota, 500_000),
  unlimited_quota: flag(),
  expired_time: moment(expiry, NEVER),
  rate_limit_enabled: flag(),
  /** Seconds. */
  rate_limit_period: whole(limit.max(RATE_LIMIT_PERIOD_MAX, 'token.period_too_long'), 60),
  /** Calls, and successful calls, per period; 0 is unlimited. */
  rate_limit_count: whole(count, 1000),
  rate_limit_success: whole(count, 10),
  /** Tokens in any 60 seconds; 0 is no limit of its own. */
  tokens_per_minute: whole(limit.max(TOKENS_PER_MINUTE_MAX, 'token.tokens_too_many'), 0, 0),
  /** Calls at the same time; 0 is no limit of its own. */
  concurrency_limit: whole(count, 0, 0),
  model_limits_enabled: flag(),
  /** Model names, separated by commas. */
  model_limits: line(listOf(commaList, ',')),
  /** One IP address or range per line. */
  allow_ips: line(listOf(lineList, '\n')),
  /** Empty for the owner's group. */
  group: line(
    z
      .string()
      .nullable()
      .transform(group => (group ?? '').trim()),
  ),
  /** Groups that are tried after `group`, in order, separated by commas. */
  fallback_groups: line(listOf(commaList, ',')),
  /** Models that are tried after the requested one, in order, separated by commas; empty for those of the groups. */
  fallback_models: line(listOf(commaList, ',')),
})

const { name: _, ...optionalFields } = tokenFields.defaults
/** Fields of a new token that the request leaves out. */
export const tokenDefaults = optionalFields

const copies = z
  .int('token.count_invalid')
  .min(1, 'token.count_invalid')
  .max(TOKENS_PER_BATCH_MAX, 'token.too_many')
  .default(1)

/** With the number of new tokens, and with what was used when the editor was opened. */
export const tokenFormFields = fieldsOf({ ...tokenFields.fields, count: whole(copies, 1), used_quota: whole(quota, 0) })

/** A token in the API. */
export const Token = z
  .object({
    id: z.int(),
    user_id: z.int(),
    key: z.string().describe('Without the prefix `sk-`.'),
    status: z.int().describe('1 enabled, 2 disabled, 3 expired, 4 exhausted.'),
    ...tokenFields.returned,
    used_quota: z.int(),
    created_time: z.int(),
    /** Unix seconds of the last call; 0 when there was none. */
    accessed_time: z.int(),
    expired_time: z.int().describe('Unix seconds; -1 for never.'),
    rate_limit_period: z.int().describe('Seconds.'),
    tokens_per_minute: z.int().describe('Tokens in any 60 seconds; 0 for the limit of the site alone.'),
    concurrency_limit: z.int().describe('Calls at the same time; 0 for the limit of the site alone.'),
    model_limits: z.string().describe('Model names, separated by commas.'),
    fallback_groups: z
      .string()
      .describe(
        'Groups that are tried after `group`, in order, separated by commas. The one that serves a call bills it.',
      ),
    fallback_models: z
      .string()
      .describe(
        'Models that are tried after the requested one, in order, separated by commas; each is billed at its own price.',
      ),
    allow_ips: z.string().describe('One IP address or range per line.'),
    DeletedAt: z.null(),
  })
  .meta({ id: 'Token' })
export type Token = z.output<typeof Token>

const returned = Object.keys(Token.shape)

/** POST /api/token/: absent fields take their defaults; `count` creates several. */
export const NewToken = bodyOf(tokenFields.schema.extend({ count: copies }), returned, body => ({
  ...tokenDefaults,
  ...Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)),
}))

/** PUT /api/token/: absent fields stay unchanged. What was spent since `used_quota` is subtracted from `remain_quota`. */
export const TokenEdit = bodyOf(
  tokenFields.schema.extend({ used_quota: quota }).partial().extend({ id: z.int() }),
  returned,
)

/** PUT /api/token/?status_only=true */
export const TokenSwitch = bodyOf(
  z.object({
    id: z.int(),
    status: z.literal([TokenStatus.enabled, TokenStatus.disabled], 'token.status_invalid'),
  }),
  returned,
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
