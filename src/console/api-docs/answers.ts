/** Schemas of responses that clients read most. */
import { z } from 'zod'
import type { LogEntry, LogStat } from '../../contracts/log.ts'
import type { Order } from '../../contracts/payment.ts'
import type { GroupOffer } from '../../contracts/pricing.ts'
import type { StatementMonth, StatementRow } from '../../contracts/statement.ts'
import { STATEMENT_KINDS } from '../../contracts/statement.ts'
import type { UserView } from '../../contracts/user.ts'

const text = z.string()
const whole = z.int()
const flag = z.boolean()

/** One page of a list. */
export const listingOf = (item: z.ZodType) =>
  z.object({ items: z.array(item), total: whole, page: whole, page_size: whole })

export const UserAnswer = z
  .object({
    id: whole,
    username: text,
    display_name: text,
    role: whole.describe('1 user, 10 administrator, 100 root.'),
    status: whole.describe('1 enabled, 2 banned.'),
    email: text,
    github_id: text,
    oidc_id: text,
    linux_do_id: text,
    wechat_id: text,
    telegram_id: text,
    group: text,
    quota: whole.describe('Balance.'),
    quota_read: whole,
    used_quota: whole,
    request_count: whole,
    aff_code: text,
    aff_count: whole,
    aff_quota: whole,
    aff_history_quota: whole,
    inviter_id: whole,
    last_check_in_time: text.nullable(),
    concurrency_limit: whole,
    DeletedAt: text.nullable(),
  })
  .meta({ id: 'User' }) satisfies z.ZodType<UserView>

export const LogAnswer = z
  .object({
    id: whole,
    created_at: whole,
    type: whole.describe('1 top-up, 2 consumption, 3 management, 4 system, 5 check-in, 6 error.'),
    user_id: whole,
    username: text,
    token_id: whole,
    token_name: text,
    model_name: text,
    group: text,
    channel: whole,
    channel_name: text,
    is_stream: flag,
    use_time: whole.describe('Seconds.'),
    prompt_tokens: whole,
    completion_tokens: whole,
    quota: whole,
    content: text,
    request_id: text,
    other: text.describe('JSON text: ratios, lines of the bill, timing.'),
  })
  .meta({ id: 'LogEntry' }) satisfies z.ZodType<LogEntry>

export const LogStatAnswer = z
  .object({ quota: whole, prompt_tokens: whole, completion_tokens: whole, rpm: whole, tpm: whole })
  .meta({ id: 'LogStat' }) satisfies z.ZodType<LogStat>

export const OrderAnswer = z
  .object({
    id: whole,
    trade_no: text,
    gateway_trade_no: text,
    method: z.enum(['alipay', 'wxpay']),
    amount: whole,
    money: text.describe('Such as `73.00`.'),
    quota: whole,
    status: z.enum(['pending', 'paid', 'expired']),
    created_time: whole,
    paid_time: whole,
  })
  .meta({ id: 'Order' }) satisfies z.ZodType<Order>

const month = z.object({
  month: text,
  opening: whole,
  credited: whole,
  used: whole,
  closing: whole,
}) satisfies z.ZodType<StatementMonth>

const row = z.object({
  kind: z.enum(STATEMENT_KINDS),
  day: text,
  created_time: whole,
  delta: whole,
  balance_after: whole,
  calls: whole,
  reference: text,
  remark: text,
  actor: text.nullable(),
}) satisfies z.ZodType<StatementRow>

export const StatementAnswer = listingOf(row)
  .extend({ months: z.array(month) })
  .meta({ id: 'Statement' })

export const GroupsAnswer = z.record(text, z.object({ ratio: z.number(), desc: text })) satisfies z.ZodType<
  Record<string, GroupOffer>
>

export const ModelListAnswer = z.object({
  object: z.literal('list'),
  data: z.array(z.looseObject({ id: text, object: z.literal('model'), created: whole, owned_by: text })),
})
