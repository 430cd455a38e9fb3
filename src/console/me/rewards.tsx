/** Forms of check-in and of transfers, and the list of invitees. */

import { z } from 'zod'
import { meDialogAt } from '../../../views/me/view.ts'
import { Invitees } from '../../../views/rewards/invitees.tsx'
import { TransferDialog } from '../../../views/rewards/transfer.tsx'
import { balanceText, fromQuota, toQuota } from '../../billing/quota.ts'
import { numberOf } from '../../contracts/fields.ts'
import { pageOf } from '../../contracts/paging.ts'
import { ME_PATH } from '../../contracts/profile.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { Transfer } from '../../contracts/reward.ts'
import { checkHuman } from '../../domain/human-check/index.ts'
import { checkIn, inviteesOf, transferEarnings, transferMinimum } from '../../domain/rewards/index.ts'
import { anyUser } from '../../domain/users/index.ts'
import { translate } from '../../locales/index.ts'
import { errorsOf, text } from '../../web/forms.ts'
import { idempotent, newFormId } from '../../web/idempotent-form.ts'
import { checkLimit } from '../../web/ip-rate-limit.ts'
import { addressOf } from '../../web/request.ts'
import { redirectTo } from '../page.tsx'
import { pageAt } from '../visit.ts'
import { showProfile } from './profile.tsx'
import { done, type MeRequest } from './tab.tsx'

const CheckInForm = z.object({ form_id: text, 'cf-turnstile-response': text })

export async function saveCheckIn(page: MeRequest): Promise<Response> {
  const { request, server, caller, visit } = page
  const form = CheckInForm.parse(page.body)
  try {
    const { quota } = await idempotent(caller.id, form, async () => {
      checkLimit('critical', request, server, 'check-in')
      await checkHuman(form['cf-turnstile-response'], addressOf(request, server))
      return checkIn(caller)
    })
    return done(page, ME_PATH, 'reward.check_in_done', { reward: balanceText(quota, visit.status) })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.field) return showProfile(pageAt(page, ME_PATH), { errors: errorsOf(error, visit.language) })
    return redirectTo(ME_PATH, { kind: 'error', text: translate(visit.language, error.code, error.params) })
  }
}

const TransferForm = z.object({ quota: text, form_id: text })

/** @param refused what was typed, and its errors */
export async function transferDialog(
  { caller, visit }: MeRequest,
  refused?: { quota: string; errors: Record<string, string> },
) {
  const { aff_quota } = (await anyUser(caller.id))!
  const values = { quota: refused?.quota ?? fromQuota(aff_quota, visit.status), form_id: newFormId() }
  return <TransferDialog pending={aff_quota} minimum={transferMinimum()} values={values} errors={refused?.errors} />
}

export async function saveTransfer(page: MeRequest): Promise<Response> {
  const { request, server, caller, visit } = page
  const form = TransferForm.parse(page.body)
  try {
    const { quota } = Transfer.parse({ quota: toQuota(numberOf(form.quota), visit.status) })
    await idempotent(caller.id, form, async () => {
      checkLimit('critical', request, server, 'transfer')
      await transferEarnings(caller, quota)
    })
    return done(page, ME_PATH, 'reward.transfer_done', { amount: balanceText(quota, visit.status) })
  } catch (error) {
    const overlay = await transferDialog(page, { quota: form.quota, errors: errorsOf(error, visit.language) })
    return showProfile(pageAt(page, meDialogAt('transfer')), { overlay, refused: true })
  }
}

export async function inviteesDrawer({ caller, visit }: MeRequest, p: string | undefined) {
  return <Invitees list={await inviteesOf(caller.id, pageOf({ p, size: String(visit.page_size) }, 1))} />
}
