/** The tab of rewards: forms of check-in and of transfers, and the list of invitees. */

import type { ReactNode } from 'react'
import { z } from 'zod'
import { Rewards } from '../../../views/me/rewards.tsx'
import { meTabAt, rewardDialogAt } from '../../../views/me/view.ts'
import type { InvitationFacts } from '../../../views/rewards/invitation.tsx'
import { Invitees } from '../../../views/rewards/invitees.tsx'
import { TransferDialog } from '../../../views/rewards/transfer.tsx'
import { balanceText, fromQuota, toQuota } from '../../billing/quota.ts'
import { numberOf } from '../../contracts/fields.ts'
import { pageOf } from '../../contracts/paging.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { Transfer } from '../../contracts/reward.ts'
import { checkHuman } from '../../domain/human-check/index.ts'
import { option } from '../../domain/options/index.ts'
import {
  affCodeOf,
  checkIn,
  checkInState,
  inviteesOf,
  transferEarnings,
  transferMinimum,
} from '../../domain/rewards/index.ts'
import { anyUser } from '../../domain/users/index.ts'
import { translate } from '../../locales/index.ts'
import { errorsOf, text } from '../../web/forms.ts'
import { idempotent, newFormId } from '../../web/idempotent-form.ts'
import { checkLimit } from '../../web/ip-rate-limit.ts'
import { addressOf, siteOf } from '../../web/request.ts'
import { redirectTo } from '../page.tsx'
import { pageAt } from '../visit.ts'
import { done, type MeRequest, renderTab } from './tab.tsx'

const REWARDS = meTabAt('rewards')

interface RewardsContent {
  /** Of the check-in. */
  errors?: Record<string, string>
  overlay?: ReactNode
  /** A dialog shows what was refused. */
  refused?: boolean
}

export async function showRewards(
  page: MeRequest,
  { errors = {}, overlay, refused = false }: RewardsContent = {},
): Promise<Response> {
  const { caller, visit } = page
  const { check_in_enabled, aff_enabled } = visit.status
  const content = (
    <Rewards
      visit={visit}
      checkIn={check_in_enabled ? { state: await checkInState(caller.id), form_id: newFormId(), errors } : undefined}
      invitation={aff_enabled ? await invitationOf(page) : undefined}
      overlay={overlay}
    />
  )
  return renderTab(page, content, refused || Object.keys(errors).length > 0, check_in_enabled)
}

async function invitationOf({ request, server, visit, caller }: MeRequest): Promise<InvitationFacts> {
  const { aff_count, aff_quota, aff_history_quota } = (await anyUser(caller.id))!
  const site = visit.status.server_address || siteOf(request, server)
  return {
    link: `${site}/register?aff=${await affCodeOf(caller.id)}`,
    count: aff_count,
    pending: aff_quota,
    total: aff_history_quota,
    minimum: transferMinimum(),
    rebate: option('RebateEnabled') ? option('RebatePercentage') : 0,
  }
}

const CheckInForm = z.object({ form_id: text, 'cf-turnstile-response': text })

export async function saveCheckIn(page: MeRequest): Promise<Response> {
  const { request, server, caller, visit } = page
  const form = CheckInForm.parse(page.body)
  try {
    const { quota } = await idempotent(caller.id, form, async key => {
      await checkLimit('critical', request, server, 'check-in')
      await checkHuman(form['cf-turnstile-response'], addressOf(request, server))
      return checkIn(caller, key)
    })
    return done(page, REWARDS, 'reward.check_in_done', { reward: balanceText(quota, visit.status) })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.field) return showRewards(pageAt(page, REWARDS), { errors: errorsOf(error, visit.language) })
    return redirectTo(REWARDS, { kind: 'error', text: translate(visit.language, error.code, error.params) })
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
    await idempotent(caller.id, form, async key => {
      await checkLimit('critical', request, server, 'transfer')
      await transferEarnings(caller, quota, key)
    })
    return done(page, REWARDS, 'reward.transfer_done', { amount: balanceText(quota, visit.status) })
  } catch (error) {
    const overlay = await transferDialog(page, { quota: form.quota, errors: errorsOf(error, visit.language) })
    return showRewards(pageAt(page, rewardDialogAt('transfer')), { overlay, refused: true })
  }
}

export async function inviteesDrawer({ caller, visit }: MeRequest, p: string | undefined) {
  return <Invitees list={await inviteesOf(caller.id, pageOf({ p, size: String(visit.page_size) }, 1))} />
}
