/** The tab of the profile. */

import type { ReactNode } from 'react'
import { Profile } from '../../../views/me/profile.tsx'
import { Bindings } from '../../../views/oauth/bindings.tsx'
import { Role } from '../../contracts/account.ts'
import { ME_PATH } from '../../contracts/profile.ts'
import { bindingsOf } from '../../domain/oauth/index.ts'
import { usableGroups } from '../../domain/pricing/index.ts'
import { offeredModels } from '../../domain/routing/index.ts'
import { anyUser } from '../../domain/users/index.ts'
import { cookieOf } from '../../web/request.ts'
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
      visit={visit}
      me={{
        ...{ username, display_name, quota, used_quota, request_count },
        hasPassword: user.password !== '',
        hasAccessToken: user.access_token_hash !== null,
        isRoot: user.role >= Role.root,
      }}
      models={await offeredModels(Object.keys(usableGroups(caller.group)))}
      modelsExpanded={cookieOf(request, 'modelsExpanded') === 'true'}
      bindings={<Bindings bindings={await bindingsOf(caller.id)} returnTo={`${ME_PATH}#bindings`} />}
      values={values ?? { username, display_name }}
      errors={errors}
      overlay={overlay}
    />
  )
  return renderTab(page, content, refused || Object.keys(errors).length > 0)
}
