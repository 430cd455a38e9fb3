/** A token as text in the fields of its drawer, and back. Fields have the wire's names. */
import { z } from 'zod'
import { fromQuota, toQuota } from '../../billing/quota.ts'
import { numberOf } from '../../contracts/fields.ts'
import { NEVER, type Token, tokenDefaults } from '../../contracts/token.ts'
import type { Visit } from '../../contracts/visit.ts'
import { exact, moment, type Zone } from '../../pure/time.ts'
import { text } from '../../web/forms.ts'
import { newFormId } from '../../web/idempotent-form.ts'

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
  /** The quota that the drawer was filled with, to see whether it was changed. */
  remain_quota_was: text,
  used_quota: text,
  /** Unique for each rendered form of a new token. */
  form_id: text,
})
export type TokenForm = z.output<typeof TokenForm>

/** Field values for a token, or for the defaults of a new one. */
export function formOf(token: Token | undefined, { status, zone }: Visit): TokenForm {
  const values = { name: '', used_quota: 0, ...tokenDefaults, ...token }
  const remain_quota = fromQuota(values.remain_quota, status)
  return {
    name: values.name,
    group: values.group,
    count: '1',
    remain_quota,
    remain_quota_was: remain_quota,
    used_quota: String(values.used_quota),
    unlimited_quota: String(values.unlimited_quota),
    expired_time: values.expired_time === NEVER ? '' : exact(values.expired_time, zone),
    rate_limit_enabled: String(values.rate_limit_enabled),
    rate_limit_period: String(values.rate_limit_period),
    rate_limit_count: String(values.rate_limit_count),
    // Off, its default of the API would limit successful calls where only calls are meant.
    rate_limit_success: String(values.rate_limit_enabled ? values.rate_limit_success : 0),
    model_limits: values.model_limits_enabled ? values.model_limits : '',
    allow_ips: values.allow_ips,
    form_id: newFormId(),
  }
}

/** The form as the API's contracts read it. An unchanged quota is left out. */
export function fieldsOf(form: TokenForm, { status, zone }: Visit) {
  const unlimited = form.unlimited_quota !== ''
  const isSameQuota = form.remain_quota === form.remain_quota_was || (unlimited && form.remain_quota.trim() === '')
  return {
    name: form.name,
    group: form.group,
    count: numberOf(form.count),
    remain_quota: isSameQuota ? undefined : toQuota(numberOf(form.remain_quota), status),
    used_quota: numberOf(form.used_quota),
    unlimited_quota: unlimited,
    expired_time: expiryOf(form.expired_time, zone),
    rate_limit_enabled: form.rate_limit_enabled !== '',
    rate_limit_period: numberOf(form.rate_limit_period),
    rate_limit_count: numberOf(form.rate_limit_count),
    rate_limit_success: numberOf(form.rate_limit_success),
    model_limits_enabled: form.model_limits.trim() !== '',
    model_limits: form.model_limits,
    allow_ips: form.allow_ips,
  }
}

function expiryOf(text: string, zone: Zone): number {
  if (text.trim() === '' || text.trim() === String(NEVER)) return NEVER
  return moment(text, zone) ?? Number.NaN
}
