/** The tab of the profile, with check-in and invitations. */

import type { ReactNode } from 'react'
import { Profile } from '../../../views/me/profile.tsx'
import { Bindings } from '../../../views/oauth/bindings.tsx'
import { CheckIn } from '../../../views/rewards/check-in.tsx'
import { Invitation } from '../../../views/rewards/invitation.tsx'
import { Role } from '../../contracts/account.ts'
import { ME_PATH } from '../../contracts/profile.ts'
import { bindingsOf } from '../../domain/oauth/index.ts'
import { option } from '../../domain/options/index.ts'
import { usableGroups } from '../../domain/pricing/index.ts'
import { affCodeOf, checkInState, transferMinimum } from '../../domain/rewards/index.ts'
import { offeredModels } from '../../domain/routing/index.ts'
import { anyUser } from '../../domain/users/index.ts'
import { newFormId } from '../../web/idempotent-form.ts'
import { cookieOf, siteOf } from '../../web/request.ts'
import { type MeRequest, renderTab } from './tab.tsx'

interface ProfileContent {
  values?: Record<string, string>
  errors?: Record<string, string>
  overlay?: ReactNode
  /** A dialog shows what was refused. */
  refused?: boolean
}

export async function showProfile(page: MeRequest, shown: ProfileContent = {}): Promise<Response> {
  const { values, errors = {}, overlay, refused } = shown
  const { request, caller, visit } = page
  const user = (await anyUser(caller.id))!
  const { username, display_name, quota, used_quota, request_count } = user
  const content = (
    <Profile
      me={{
        ...{ username, display_name, quota, used_quota, request_count },
        hasPassword: user.password !== '',
        hasAccessToken: user.access_token_hash !== null,
        isRoot: user.role >= Role.root,
      }}
      models={await offeredModels(Object.keys(usableGroups(caller.group)))}
      modelsExpanded={cookieOf(request, 'modelsExpanded') === 'true'}
      rewards={
        <>
          {visit.status.check_in_enabled && (
            <CheckIn visit={visit} state={await checkInState(caller.id)} form_id={newFormId()} errors={errors} />
          )}
          {visit.status.aff_enabled && <Invitation facts={await invitationOf(page, user)} />}
        </>
      }
      bindings={<Bindings bindings={await bindingsOf(caller.id)} returnTo={`${ME_PATH}#bindings`} />}
      values={values ?? { username, display_name }}
      errors={errors}
      overlay={overlay}
    />
  )
  return renderTab(page, content, refused || Object.keys(errors).length > 0, visit.status.check_in_enabled)
}

interface Earnings {
  aff_count: number
  aff_quota: number
  aff_history_quota: number
}

async function invitationOf(page: MeRequest, { aff_count, aff_quota, aff_history_quota }: Earnings) {
  const site = page.visit.status.server_address || siteOf(page.request, page.server)
  return {
    link: `${site}/register?aff=${await affCodeOf(page.caller.id)}`,
    count: aff_count,
    pending: aff_quota,
    total: aff_history_quota,
    minimum: transferMinimum(),
    rebate: option('RebateEnabled') ? option('RebatePercentage') : 0,
  }
}
