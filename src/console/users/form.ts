/** A user as text in the fields of the drawer, and back. Fields have the wire's names. */
import { z } from 'zod'
import { toQuota } from '../../billing/quota.ts'
import { numberOf } from '../../contracts/fields.ts'
import type { UserView } from '../../contracts/user.ts'
import type { Visit } from '../../contracts/visit.ts'
import { text } from '../../web/forms.ts'
import { newFormId } from '../../web/idempotent-form.ts'

export const UserForm = z.object({
  username: text,
  display_name: text,
  password: text,
  group: text,
  concurrency_limit: text,
  tokens_per_minute: text,
  quota_delta: text,
  remark: text,
  /** Unique for each rendered form that adds something. */
  form_id: text,
})
export type UserForm = z.output<typeof UserForm>

/** Field values for a user, or for a new one. */
export const formOf = (user?: UserView): UserForm => ({
  username: user?.username ?? '',
  display_name: user?.display_name ?? '',
  password: '',
  group: user?.group ?? '',
  concurrency_limit: String(user?.concurrency_limit ?? 0),
  tokens_per_minute: String(user?.tokens_per_minute || ''),
  quota_delta: '',
  remark: '',
  form_id: newFormId(),
})

export const creationOf = ({ username, display_name, password }: UserForm) => ({ username, display_name, password })

export const editOf = ({ username, display_name, password, group, ...limits }: UserForm) => ({
  username,
  display_name,
  password,
  group,
  concurrency_limit: numberOf(limits.concurrency_limit),
  tokens_per_minute: limits.tokens_per_minute.trim() ? numberOf(limits.tokens_per_minute) : 0,
})

export const topUpOf = ({ quota_delta, remark }: UserForm, { status }: Visit) => ({
  quota: toQuota(numberOf(quota_delta), status),
  remark,
})
