/** A token as text in the fields of its drawer, and back. Fields have the wire's names. */
import { NEVER, type Token, tokenFormFields } from '../../contracts/token.ts'
import type { Visit } from '../../contracts/visit.ts'
import type { FormFields } from '../../web/forms.ts'
import { newFormId } from '../../web/idempotent-form.ts'

export type TokenForm = ReturnType<typeof tokenFormFields.sent>

/** The fields as they were sent: groups stand in their order, one a field. */
export function sentForm(body: unknown): TokenForm {
  const { fallback_groups, ...fields } = body as FormFields
  return tokenFormFields.sent({ ...fields, fallback_groups: [fallback_groups ?? []].flat().join(',') })
}

/** Field values for a token, or for the defaults of a new one. */
export function formOf(token: Token | undefined, visit: Visit): TokenForm {
  const values = { ...tokenFormFields.defaults, ...token }
  // The API's default would limit successful calls where only calls are meant; what a key has already stays.
  if (!token) values.rate_limit_success = 0
  if (!values.model_limits_enabled) values.model_limits = ''
  if (token) return { ...tokenFormFields.fill(values, visit), form_id: newFormId() }
  return {
    ...tokenFormFields.fill({ ...values, unlimited_quota: true }, visit),
    remain_quota: '',
    form_id: newFormId(),
  }
}

/** The form of a new token, which is limited where an amount was typed. */
export function newFieldsIn(form: TokenForm, visit: Visit) {
  const isLimited = form.remain_quota.trim() !== ''
  return { ...fieldsIn(form, visit), ...(isLimited && { unlimited_quota: false }) }
}

/** The form as the API's contracts read it. */
export function fieldsIn(form: TokenForm, visit: Visit) {
  const { remain_quota, ...fields } = tokenFormFields.read(form, visit)
  const isBlank = form.remain_quota.trim() === '' && form.unlimited_quota !== ''
  return {
    ...fields,
    ...(!isBlank && { remain_quota }),
    ...(form.expired_time.trim() === String(NEVER) && { expired_time: NEVER }),
    model_limits_enabled: form.model_limits.trim() !== '',
  }
}
