/** Redemption codes, in the API and in forms: fields, limits, validation and state. */
import { z } from 'zod'
import { LAST_MOMENT } from '../pure/time.ts'
import { bodyOf } from './body.ts'
import { amount, fieldsOf, flag, line, moment, whole } from './fields.ts'
import { optional } from './paging.ts'

export const CODES_PATH = '/admin/coupons'

export const RedemptionStatus = { unused: 1, disabled: 2, used: 3 } as const
export const UNLIMITED_USES = -1

/** In characters. */
export const CODE_NAME_MAX = 20
export const CODE_KEY_MAX = 32
export const CODE_TAIL_LENGTH = 4
export const CODES_PER_BATCH_MAX = 100
const CODES_SELECTED_MAX = 1000

const name = z
  .string('redemption.name_length')
  .trim()
  .refine(text => [...text].length <= CODE_NAME_MAX, 'redemption.name_length')

const time = z
  .int('redemption.period_invalid')
  .min(0, 'redemption.period_invalid')
  .max(LAST_MOMENT, 'redemption.period_invalid')

const maxUses = z
  .int('redemption.max_uses_invalid')
  .min(UNLIMITED_USES, 'redemption.max_uses_invalid')
  .refine(uses => uses !== 0, 'redemption.max_uses_invalid')

/** A blank one is no limit. */
const maxUsesOrBlank = z.preprocess(uses => (uses === '' || uses === null ? UNLIMITED_USES : uses), maxUses)

/** What administrators set. A code is valid in the seconds `valid_from` and `valid_until` too; 0 is no limit. */
export const codeFields = fieldsOf({
  name: line(name.min(1, 'redemption.name_length')),
  quota: amount(z.int('redemption.quota_invalid').min(1, 'redemption.quota_invalid'), 100_000),
  is_gift: flag(),
  /** Uses of a gift. Another code is used once. */
  max_uses: whole(maxUsesOrBlank, UNLIMITED_USES, UNLIMITED_USES),
  valid_from: moment(time, 0),
  valid_until: moment(time, 0),
})

const count = z
  .int('redemption.count_invalid')
  .min(1, 'redemption.count_invalid')
  .max(CODES_PER_BATCH_MAX, 'redemption.too_many')

/** Printable characters without blanks, or empty. */
const key = z
  .string('redemption.key_invalid')
  .trim()
  .refine(text => /^[^\s\p{C}]*$/u.test(text) && [...text].length <= CODE_KEY_MAX, 'redemption.key_invalid')

/** What new codes have. An empty name stands for the quota, an empty key for a random one. */
export const newCodeFields = fieldsOf({
  ...codeFields.fields,
  name: line(name),
  count: whole(count, 1),
  key: line(key),
})

/** A code in the API. */
export const Redemption = z
  .object({
    id: z.int(),
    /** The administrator who created it. */
    user_id: z.int(),
    key: z.string(),
    status: z.int().describe('1 unused, 2 disabled, 3 used.'),
    ...codeFields.returned,
    max_uses: z.int().describe('-1 for no limit.'),
    used_count: z.int(),
    created_time: z.int(),
    /** Unix seconds of the last use; 0 before the first. */
    redeemed_time: z.int(),
    /** 0: only a request for new codes has a count. */
    count: z.int(),
    /** The last user; 0 and empty before the first. */
    used_user_id: z.int(),
    used_username: z.string(),
    DeletedAt: z.null(),
  })
  .meta({ id: 'Redemption' })
export type Redemption = z.output<typeof Redemption>

/** One use of a code. */
export interface RedemptionUse {
  user_id: number
  username: string
  quota: number
  used_time: number
}

const returned = Object.keys(Redemption.shape)

/** POST /api/redemption/: absent fields take their defaults. */
export const NewCodes = bodyOf(
  newCodeFields.schema.refine(({ count, key }) => key === '' || count === 1, {
    path: ['count'],
    error: 'redemption.key_count',
  }),
  returned,
  body => ({ ...newCodeFields.defaults, ...body }),
)

/** PUT /api/redemption/: absent fields stay unchanged. The key of a code does not change. */
export const CodeEdit = bodyOf(codeFields.schema.partial().extend({ id: z.int() }), returned)

/** PUT /api/redemption/?status_only=true */
export const CodeSwitch = bodyOf(
  z.object({
    id: z.int(),
    status: z.literal([RedemptionStatus.unused, RedemptionStatus.disabled], 'redemption.status_invalid'),
  }),
  returned,
)

/** PUT /api/redemption/batch-disable */
export const CodeIds = bodyOf(
  z.object({
    ids: z
      .array(z.int('redemption.select_first'), 'redemption.select_first')
      .min(1, 'redemption.select_first')
      .max(CODES_SELECTED_MAX, 'redemption.too_many_selected'),
  }),
)

/** The exact name of codes to count or delete. */
export const CodeName = z.object({
  name: z.string('redemption.name_required').trim().min(1, 'redemption.name_required'),
})

/** POST /api/user/topup */
export const RedeemBody = bodyOf(z.object({ key: z.string('redemption.key_required') }))

export const codeStates = ['unused', 'used', 'expired', 'disabled'] as const
export type CodeStateName = (typeof codeStates)[number]

/** `keyword` is the start of a name, a whole id, a whole code or its last four characters. */
export const CodeFilter = z.object({
  keyword: optional,
  state: z
    .enum(codeStates)
    .optional()
    .catch(undefined)
    .describe('`unused` for codes that can be redeemed now or later, `used` for those without uses left.'),
})
export type CodeFilter = Partial<z.output<typeof CodeFilter>>

export type NewCodes = z.output<typeof NewCodes>
export type CodeEdit = z.output<typeof CodeEdit>
export type CodeSwitch = z.output<typeof CodeSwitch>

type CodeState = Pick<Redemption, 'status' | 'is_gift' | 'max_uses' | 'used_count' | 'valid_from' | 'valid_until'>

/** A gift without uses left. */
export const isUsedUp = ({ is_gift, max_uses, used_count }: CodeState): boolean =>
  is_gift && max_uses !== UNLIMITED_USES && used_count >= max_uses

/** What keeps a code from being redeemed, in the order of its messages; undefined for a usable one. */
export function obstacleOf(code: CodeState, at: number) {
  if (code.valid_from > at) return 'not_yet_valid'
  if (code.valid_until !== 0 && code.valid_until < at) return 'expired'
  if (code.status === RedemptionStatus.disabled) return 'is_disabled'
  if (isUsedUp(code)) return 'limit_reached'
  if (code.status === RedemptionStatus.used) return 'already_used'
}
