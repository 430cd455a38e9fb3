/** A token as a person types it in the drawer, and back. Fields have the wire's names. */
import { z } from 'zod'
import { type Currency, fromQuota, toQuota } from '../../billing/quota.ts'
import { NEVER, type Token, tokenDefaults } from '../../contracts/token.ts'
import { exact, moment, type Zone } from '../../pure/time.ts'
import { newFormId } from '../../web/idempotent-form.ts'

/** How the reader writes amounts and times. */
export interface Manner {
  currency: Currency
  zone: Zone
}

const text = z.string().default('')

export const TokenForm = z.object({
  name: text,
  group: text,
  count: text,
  remain_quota: text,
  unlimited_quota: text,
  expired_time: text,
  rate_limit_enabled: text,
  rate_limit_period: text,
  rate_limit_count: text,
  rate_limit_success: text,
  model_limits: text,
  allow_ips: text,
  /** What the drawer was filled with, to tell what has been changed. */
  remain_quota_was: text,
  used_quota: text,
  /** Tells the form of a new token from every other that was drawn. */
  form_id: text,
})
export type TokenForm = z.output<typeof TokenForm>

/** What the drawer shows of a token, or of the defaults of a new one. */
export function typedOf(token: Token | undefined, { currency, zone }: Manner): TokenForm {
  const from = { name: '', used_quota: 0, ...tokenDefaults, ...token }
  const remain_quota = fromQuota(from.remain_quota, currency)
  return {
    name: from.name,
    group: from.group,
    count: '1',
    remain_quota,
    remain_quota_was: remain_quota,
    used_quota: String(from.used_quota),
    unlimited_quota: String(from.unlimited_quota),
    expired_time: from.expired_time === NEVER ? '' : exact(from.expired_time, zone),
    rate_limit_enabled: String(from.rate_limit_enabled),
    rate_limit_period: String(from.rate_limit_period),
    rate_limit_count: String(from.rate_limit_count),
    rate_limit_success: String(from.rate_limit_success),
    model_limits: from.model_limits_enabled ? from.model_limits : '',
    allow_ips: from.allow_ips,
    form_id: newFormId(),
  }
}

/** What the contracts of the API are to read. A quota that was not touched is not sent on. */
export function fieldsOf(typed: TokenForm, { currency, zone }: Manner) {
  const unlimited = typed.unlimited_quota !== ''
  const quotaStays = typed.remain_quota === typed.remain_quota_was || (unlimited && typed.remain_quota.trim() === '')
  return {
    name: typed.name,
    group: typed.group,
    count: numberOf(typed.count),
    remain_quota: quotaStays ? undefined : toQuota(numberOf(typed.remain_quota), currency),
    used_quota: numberOf(typed.used_quota),
    unlimited_quota: unlimited,
    expired_time: expiryOf(typed.expired_time, zone),
    rate_limit_enabled: typed.rate_limit_enabled !== '',
    rate_limit_period: numberOf(typed.rate_limit_period),
    rate_limit_count: numberOf(typed.rate_limit_count),
    rate_limit_success: numberOf(typed.rate_limit_success),
    model_limits_enabled: typed.model_limits.trim() !== '',
    model_limits: typed.model_limits,
    allow_ips: typed.allow_ips,
  }
}

/** Nothing, or nothing that is a number, is no number: the contract then says so at the field. */
const numberOf = (typed: string) => (typed.trim() === '' ? Number.NaN : Number(typed.replaceAll(',', '')))

function expiryOf(typed: string, zone: Zone): number {
  if (typed.trim() === '' || typed.trim() === String(NEVER)) return NEVER
  return moment(typed, zone) ?? Number.NaN
}
