/** Who may refund a call, and the drawer that does. */
import type { ReactNode } from 'react'
import { z } from 'zod'
import { RefundDialog } from '../../../views/logs/refund-dialog.tsx'
import type { LogsView } from '../../../views/logs/view.ts'
import { fromQuota } from '../../billing/quota.ts'
import { Role, type SessionUser } from '../../contracts/account.ts'
import { forbidden, notFound } from '../../contracts/refusal.ts'
import { mayChange, refundsOf } from '../../domain/account/index.ts'
import { findOne, type LogRow } from '../../domain/logs/index.ts'
import { anyUser } from '../../domain/users/index.ts'
import { translator } from '../../locales/index.ts'
import { exact } from '../../pure/time.ts'
import { text } from '../../web/forms.ts'
import { newFormId } from '../../web/idempotent-form.ts'
import type { LogsPage } from './show.tsx'

export async function mayRefund(caller: SessionUser, { user_id }: LogRow): Promise<boolean> {
  const user = caller.role >= Role.admin ? await anyUser(user_id) : undefined
  return user !== undefined && mayChange(caller, user) && user.deleted_time === null
}

export const RefundForm = z.object({
  amount: text,
  remark: text,
  /** Unique for each rendered form. */
  form_id: text,
})
type RefundForm = z.output<typeof RefundForm>

/** @throws Refusal 404 for an entry that is no billed call, 403 for the call of a user beyond the caller's reach */
export async function refundDialog(
  { caller, visit }: LogsPage,
  view: LogsView,
  id: number,
  form?: RefundForm,
  errors?: Record<string, string>,
): Promise<ReactNode> {
  const row = await findOne({}, id)
  const given = row && (await refundsOf(row))
  if (!given) throw notFound()
  if (!(await mayRefund(caller, row))) throw forbidden('user.cannot_update')
  const filled = form ?? {
    amount: fromQuota(given.left, visit.status),
    remark: translator(visit.language)('log.refund_remark', { model: shortened(row), time: momentOf(row) }),
    form_id: newFormId(),
  }
  return <RefundDialog view={view} id={id} username={row.username} given={given} form={filled} errors={errors} />
}

const MODEL_CHARACTERS = 100
/** Clients choose the names of models. */
const shortened = ({ model_name }: LogRow) => model_name.replace(/\p{Cc}/gu, '').slice(0, MODEL_CHARACTERS)

/** Days and times of statements are those of UTC. */
const momentOf = ({ created_at }: LogRow) => exact(created_at, 'UTC').slice(0, 'yyyy-mm-dd hh:mm'.length)
