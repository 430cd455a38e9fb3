/** Columns of the user list, and those that a reader can hide. */
import type { ReactNode } from 'react'
import { Tag } from '../../client/components/badge.tsx'
import { ColumnChoice, optionalColumns } from '../../client/components/column-choice.tsx'
import { OverlayLink } from '../../client/components/link.tsx'
import { Ago, At } from '../../client/components/moment.tsx'
import { Quota } from '../../client/components/money.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { Column } from '../../client/components/table.tsx'
import { USERS_PATH } from '../../src/contracts/user.ts'
import type { MessageKey, Translate } from '../../src/locales/index.ts'
import { grouped } from '../../src/pure/number.ts'
import type { ListedUser } from './reach.ts'
import { roleName, UserState } from './state.tsx'
import { sortedBy, type UsersView, usersAt } from './view.ts'

/** Columns that can be hidden, in order, with their headings. */
const headings = {
  email: 'user.bound_email',
  state: 'user.state',
  role: 'user.role',
  group: 'user.group',
  left: 'user.left',
  used: 'user.used',
  this_month: 'user.this_month',
  calls: 'user.calls',
  last_seen: 'user.last_seen',
  created: 'user.created_at',
  invites: 'user.invites',
} as const satisfies Record<string, MessageKey>

type OptionalColumn = keyof typeof headings

const rare: OptionalColumn[] = ['email', 'created', 'invites']

export const userColumns = { ...optionalColumns('user-columns', headings), rare }

interface ColumnContext {
  t: Translate
  view: UsersView
  /** Ratio of each group. */
  groups: Record<string, number>
  hidden: string[]
}

const hiddenOnNarrowDesktop = 'sm:max-[77rem]:hidden'
const hiddenBelowWideDesktop = 'sm:max-[85rem]:hidden'

export function columnsOf({ t, view, groups, hidden }: ColumnContext): Column<ListedUser>[] {
  const cells: Record<OptionalColumn, Omit<Column<ListedUser>, 'id' | 'head'>> = {
    email: { optional: true, cell: user => ifSeen(user, user.email && <Email address={user.email} />) },
    state: { phone: 'detail', cell: user => <UserState user={user} /> },
    role: { phone: 'side', cell: user => roleName(user.role, t) },
    group: { optional: true, cell: ({ group }) => <Tag name={group} ratio={groups[group]} /> },
    left: {
      phone: 'figure',
      number: true,
      sort: sortedBy(view, 'left'),
      cell: user => ifSeen(user, <Quota of={user.quota} />),
    },
    used: {
      number: true,
      optional: true,
      sort: sortedBy(view, 'spent'),
      cell: user => ifSeen(user, <Quota of={user.used_quota} />),
    },
    this_month: {
      number: true,
      optional: true,
      className: hiddenOnNarrowDesktop,
      cell: user => ifSeen(user, user.spent_this_month ? <Quota of={user.spent_this_month} /> : none),
    },
    calls: {
      number: true,
      optional: true,
      sort: sortedBy(view, 'calls'),
      className: hiddenOnNarrowDesktop,
      cell: user => ifSeen(user, grouped(user.request_count)),
    },
    last_seen: {
      optional: true,
      sort: sortedBy(view, 'seen'),
      className: `ink-2 ${hiddenOnNarrowDesktop}`,
      cell: user => ifSeen(user, user.last_seen ? <Ago at={user.last_seen} /> : none),
    },
    created: {
      optional: true,
      className: `ink-2 ${hiddenBelowWideDesktop}`,
      cell: user => ifSeen(user, <At at={user.created_time} show="day" />),
    },
    invites: {
      optional: true,
      className: hiddenBelowWideDesktop,
      cell: user => ifSeen(user, <Invitations user={user} />),
    },
  }
  const name: Column<ListedUser> = {
    id: 'name',
    head: t('user.user'),
    phone: 'title',
    cell: user => <UserName user={user} view={view} />,
  }
  const shown = userColumns.ids.filter(id => !hidden.includes(id))
  return [name, ...shown.map(id => ({ id, head: t(headings[id]), ...cells[id] }))]
}

/** A dash for a user whom the reader may not see. */
const ifSeen = ({ seen }: ListedUser, content: ReactNode) => (seen ? content : none)

const none = <span className="ink-3">—</span>

const Email = ({ address }: { address: string }) => (
  <span className="block truncate sm:max-w-56" title={address}>
    {address}
  </span>
)

/** Menu of the columns: all but the name can be hidden. */
export function UserColumns({ hidden, returnTo }: { hidden: string[]; returnTo: string }) {
  const { t } = usePageContext()
  const choices = userColumns.choices(t)
  return <ColumnChoice action={`${USERS_PATH}/columns`} choices={choices} hidden={hidden} returnTo={returnTo} />
}

/** Links to the drawer of a user who can be seen; deregistered users have none. */
function UserName({ user, view }: { user: ListedUser; view: UsersView }) {
  const { id, username, display_name, changeable } = user
  const isNamed = display_name !== '' && display_name !== username
  return (
    <span className="stacked inline-block max-w-full align-middle">
      {changeable ? (
        <OverlayLink className="block truncate sm:max-w-44" title={username} href={usersAt(view, { edit: id })}>
          {username}
        </OverlayLink>
      ) : (
        <span className="block truncate sm:max-w-44" title={username} data-gone>
          {username}
        </span>
      )}
      <small className="wide-only sm:truncate sm:max-w-44">
        #{id}
        {isNamed && ` · ${display_name}`}
      </small>
    </span>
  )
}

function Invitations({ user: { aff_count, aff_history_quota, inviter_id } }: { user: ListedUser }) {
  const { t } = usePageContext()
  return (
    <span className="stacked">
      <span>
        {t('user.invited', { count: aff_count })} · <Quota of={aff_history_quota} />
      </span>
      <small>{inviter_id ? t('user.invited_by', { id: inviter_id }) : t('user.no_inviter')}</small>
    </span>
  )
}
