/** The users page: head, filters, list. */
import CirclePause from 'lucide/dist/esm/icons/circle-pause.mjs'
import CirclePlay from 'lucide/dist/esm/icons/circle-play.mjs'
import Coins from 'lucide/dist/esm/icons/coins.mjs'
import Mail from 'lucide/dist/esm/icons/mail.mjs'
import Plus from 'lucide/dist/esm/icons/plus.mjs'
import UsersRound from 'lucide/dist/esm/icons/users.mjs'
import type { ReactNode } from 'react'
import { NoMatch } from '../../client/components/empty.tsx'
import { ExportLink } from '../../client/components/export-link.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { Overlay, OverlayLink, RowForm } from '../../client/components/link.tsx'
import { RowMenu } from '../../client/components/menu.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PageHead } from '../../client/components/page-head.tsx'
import { Pager } from '../../client/components/pager.tsx'
import { BatchButton, SelectionBar } from '../../client/components/selection.tsx'
import { Table } from '../../client/components/table.tsx'
import type { Listing } from '../../src/contracts/paging.ts'
import { USERS_PATH } from '../../src/contracts/user.ts'
import { columnsOf, UserColumns } from './columns.tsx'
import { UserFilters } from './filters.tsx'
import type { ListedUser } from './reach.ts'
import { RowActions } from './row-actions.tsx'
import { type TwinGroup, Twins } from './twins.tsx'
import { type UsersView, usersAction, usersAddress, usersAt } from './view.ts'

interface UsersProps {
  list: Listing<ListedUser>
  view: UsersView
  /** Ids of hidden columns. */
  hidden: string[]
  /** Ratio of each group. */
  groups: Record<string, number>
  /** Of names that differ in case only; for root. */
  twins: TwinGroup[]
  /** Drawer or dialog over the list. */
  overlay?: ReactNode
}

export function Users({ list, view, hidden, groups, twins, overlay }: UsersProps) {
  const { t } = usePageContext()
  return (
    <>
      <PageHead title={t('user.title')} small={list.total}>
        <ExportLink href={usersAddress.csv(view)} />
        <OverlayLink className="btn btn-primary" href={usersAt(view, 'new')}>
          <Icon of={Plus} />
          {t('user.add')}
        </OverlayLink>
      </PageHead>
      {twins.length > 0 && <Twins groups={twins} view={view} />}
      <div className="flex flex-wrap items-center gap-2 mb-3 *:!mb-0">
        <UserFilters view={view} groups={Object.keys(groups)} />
        <UserColumns hidden={hidden} returnTo={usersAt(view)} />
      </div>
      {list.total ? <UserList list={list} view={view} hidden={hidden} groups={groups} /> : <NoUsers />}
      <Overlay>{overlay}</Overlay>
    </>
  )
}

function UserList({ list, view, hidden, groups }: Pick<UsersProps, 'list' | 'view' | 'hidden' | 'groups'>) {
  const { t } = usePageContext()
  return (
    <>
      <Table
        label={t('user.title')}
        columns={columnsOf({ t, view, groups, hidden })}
        rows={list.items}
        keyOf={user => user.id}
        nameOf={user => user.username}
        selectable
        actions={user => <RowActions user={user} view={view} />}
        dense
        tall
      />
      <Pager page={list.page} size={list.page_size} total={list.total} hrefOf={page => usersAt({ ...view, page })} />
      <RowForm action={USERS_PATH} returnTo={usersAt(view)} />
      <RowMenu />
      <SelectionBar action={usersAction(view, 'selected')} returnTo={usersAt(view)}>
        <BatchButton action="add_quota" icon={Coins} label={t('user.adjust')} />
        <BatchButton action="message" icon={Mail} label={t('user.message')} />
        <BatchButton action="group" icon={UsersRound} label={t('user.set_group')} />
        <BatchButton action="enable" icon={CirclePlay} label={t('user.enable')} />
        <BatchButton action="disable" icon={CirclePause} label={t('user.disable')} />
      </SelectionBar>
    </>
  )
}

function NoUsers() {
  const { t } = usePageContext()
  return (
    <NoMatch text={t('user.none_match')} all={usersAt({})}>
      {t('user.show_all')}
    </NoMatch>
  )
}
