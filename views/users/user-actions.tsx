/** State and actions at the top of a user's drawer. */
import Mail from 'lucide/dist/esm/icons/mail.mjs'
import ShieldMinus from 'lucide/dist/esm/icons/shield-minus.mjs'
import ShieldPlus from 'lucide/dist/esm/icons/shield-plus.mjs'
import Trash2 from 'lucide/dist/esm/icons/trash.mjs'
import type { ComponentProps } from 'react'
import { Icon } from '../../client/components/icon.tsx'
import { Form, overlayRequest } from '../../client/components/link.tsx'
import { MenuLink, MoreMenu } from '../../client/components/menu.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { UserStatus } from '../../src/contracts/account.ts'
import type { UserAction } from '../../src/contracts/user.ts'
import { canDelete, canDemote, canPromote, canSwitch, type ReachedUser } from './reach.ts'
import { LookLinks } from './row-actions.tsx'
import { roleName, UserState } from './state.tsx'
import { type UsersView, usersAction, usersAt } from './view.ts'

const MANAGE = 'user-manage'
const RESET_LINK = 'user-reset-link'

export function UserActions({ user, view }: { user: ReachedUser; view: UsersView }) {
  const { t } = usePageContext()
  const { id, username, status, role } = user
  const remove = usersAt(view, { delete: id })
  const action = status === UserStatus.enabled ? 'disable' : 'enable'
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      <span className="flex-1">
        <UserState user={user} /> <span className="more">{roleName(role, t)}</span>
      </span>
      {canSwitch(user) && (
        <ManageButton action={action} className="btn btn-sm">
          {t(`user.${action}`)}
        </ManageButton>
      )}
      <MoreMenu id="more-of-user" name={username}>
        <LookLinks user={user} view={view} />
        {user.changeable && user.email && (
          <button type="submit" form={RESET_LINK}>
            <Icon of={Mail} />
            {t('user.reset_link')}
          </button>
        )}
        {canPromote(user) && (
          <ManageButton action="promote">
            <Icon of={ShieldPlus} />
            {t('user.promote')}
          </ManageButton>
        )}
        {canDemote(user) && (
          <ManageButton action="demote">
            <Icon of={ShieldMinus} />
            {t('user.demote')}
          </ManageButton>
        )}
        {canDelete(user) && (
          <MenuLink icon={Trash2} danger href={remove} {...overlayRequest(remove)}>
            {t('user.delete')}
          </MenuLink>
        )}
      </MoreMenu>
    </div>
  )
}

const ManageButton = ({ action, ...rest }: ComponentProps<'button'> & { action: UserAction }) => (
  <button type="submit" form={MANAGE} name="action" value={action} {...rest} />
)

/** Forms of the buttons above: HTML forbids a form inside the drawer's form. */
export const ManageForm = ({ user: { id }, returnTo }: { user: ReachedUser; returnTo: string }) => (
  <>
    <Form id={MANAGE} action={usersAction({}, `${id}/manage`)} returnTo={returnTo}>
      {null}
    </Form>
    <Form id={RESET_LINK} action={usersAction({}, `${id}/reset-link`)} returnTo={returnTo}>
      {null}
    </Form>
  </>
)
