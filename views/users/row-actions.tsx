/** Actions of a user's row: two buttons, and a menu that is fetched when it is opened. */
import BookText from 'lucide/dist/esm/icons/book-text.mjs'
import KeyRound from 'lucide/dist/esm/icons/key-round.mjs'
import Laptop from 'lucide/dist/esm/icons/laptop.mjs'
import ReceiptText from 'lucide/dist/esm/icons/receipt-text.mjs'
import ScrollText from 'lucide/dist/esm/icons/scroll-text.mjs'
import ShieldMinus from 'lucide/dist/esm/icons/shield-minus.mjs'
import ShieldPlus from 'lucide/dist/esm/icons/shield-plus.mjs'
import Trash2 from 'lucide/dist/esm/icons/trash.mjs'
import type { ComponentProps } from 'react'
import { Icon } from '../../client/components/icon.tsx'
import { OverlayLink, overlayRequest, RowButton } from '../../client/components/link.tsx'
import { MenuLink, RowMenuButton } from '../../client/components/menu.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { UserStatus } from '../../src/contracts/account.ts'
import { statementPathOf } from '../../src/contracts/statement.ts'
import type { UserAction } from '../../src/contracts/user.ts'
import type { MessageKey } from '../../src/locales/index.ts'
import { logsAt } from '../logs/view.ts'
import { canDelete, canDemote, canPromote, canSwitch, type ReachedUser } from './reach.ts'
import { type UsersView, usersAction, usersAt } from './view.ts'

interface RowActionsProps {
  user: ReachedUser
  view: UsersView
}

/** None for deregistered users, and for those whom the reader may not see. */
export function RowActions({ user, view }: RowActionsProps) {
  const { t } = usePageContext()
  const { id, username: name, seen, changeable, DeletedAt } = user
  if (!seen || DeletedAt !== null) return undefined
  return (
    <>
      {canSwitch(user) && <Switch user={user} />}
      {changeable && (
        <OverlayLink
          className="btn btn-ghost btn-sm"
          href={usersAt(view, { edit: id })}
          aria-label={t('user.edit_named', { name })}
        >
          {t('user.edit')}
        </OverlayLink>
      )}
      <RowMenuButton name={name} href={usersAction(view, `${id}/menu`)} />
    </>
  )
}

/** The items of a user's menu. */
export function UserMenu({ user, view }: RowActionsProps) {
  const { t } = usePageContext()
  const remove = usersAt(view, { delete: user.id })
  return (
    <>
      <LookLinks user={user} view={view} />
      {canPromote(user) && <MenuAction user={user} action="promote" icon={ShieldPlus} />}
      {canDemote(user) && <MenuAction user={user} action="demote" icon={ShieldMinus} />}
      {canDelete(user) && (
        <MenuLink icon={Trash2} danger href={remove} {...overlayRequest(remove)}>
          {t('user.delete')}
        </MenuLink>
      )}
    </>
  )
}

/** Links to what the site knows of a user: usage, statement, keys, ledger, devices. */
export function LookLinks({ user: { id, username }, view }: RowActionsProps) {
  const { t } = usePageContext()
  const looks = [
    { icon: KeyRound, href: usersAt(view, { tokens: id }), word: 'user.tokens' },
    { icon: ReceiptText, href: usersAt(view, { ledger: id }), word: 'user.ledger' },
    { icon: Laptop, href: usersAt(view, { devices: id }), word: 'user.devices' },
  ] as const
  return (
    <>
      <MenuLink icon={ScrollText} href={logsAt({ username })}>
        {t('user.usage')}
      </MenuLink>
      <MenuLink icon={BookText} href={statementPathOf(id)}>
        {t('user.statement')}
      </MenuLink>
      {looks.map(({ icon, href, word }) => (
        <MenuLink key={word} icon={icon} href={href} {...overlayRequest(href)}>
          {t(word)}
        </MenuLink>
      ))}
    </>
  )
}

function Switch({ user: { id, username: name, status } }: { user: ReachedUser }) {
  const { t } = usePageContext()
  const action = status === UserStatus.enabled ? 'disable' : 'enable'
  return (
    <RowButton
      action={usersAction({}, `${id}/manage`)}
      name="action"
      value={action}
      aria-label={t(`user.${action}_named`, { name })}
    >
      {t(`user.${action}`)}
    </RowButton>
  )
}

const words: Record<'promote' | 'demote', MessageKey> = { promote: 'user.promote', demote: 'user.demote' }

interface MenuActionProps {
  user: ReachedUser
  action: UserAction & keyof typeof words
  icon: ComponentProps<typeof Icon>['of']
}

function MenuAction({ user: { id }, action, icon }: MenuActionProps) {
  const { t } = usePageContext()
  return (
    <RowButton action={usersAction({}, `${id}/manage`)} name="action" value={action} className="">
      <Icon of={icon} />
      {t(words[action])}
    </RowButton>
  )
}
