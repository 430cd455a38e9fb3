/** The users page as its address describes it: the list, and what is open over it. */
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { userColumns } from '../../../views/users/columns.tsx'
import { ConfirmDeregister } from '../../../views/users/confirm-delete.tsx'
import { Devices } from '../../../views/users/devices.tsx'
import { NewUserDrawer, UserDrawer } from '../../../views/users/drawer.tsx'
import { Ledger } from '../../../views/users/ledger.tsx'
import { QuotaDialog, QuotaForMany } from '../../../views/users/quota-dialog.tsx'
import type { ReachedUser } from '../../../views/users/reach.ts'
import { Regroup } from '../../../views/users/regroup.tsx'
import { TokensOfUser } from '../../../views/users/tokens.tsx'
import { Users } from '../../../views/users/users.tsx'
import { budgetsOfUsers, usersAddress, usersAt } from '../../../views/users/view.ts'
import { toQuota } from '../../billing/quota.ts'
import { Role, type SessionUser } from '../../contracts/account.ts'
import { numberOf } from '../../contracts/fields.ts'
import type { Listing } from '../../contracts/paging.ts'
import type { DatedUser, UserFilter, UserView } from '../../contracts/user.ts'
import type { Visit } from '../../contracts/visit.ts'
import { mayChange, sessionsOf } from '../../domain/account/index.ts'
import { budgetsShown } from '../../domain/budgets/index.ts'
import { groupNames, groupRatio } from '../../domain/pricing/index.ts'
import { listTokens } from '../../domain/tokens/index.ts'
import { spentByUsers } from '../../domain/usage/index.ts'
import { listDatedUsers, maySee, usernameTwins, viewFor } from '../../domain/users/index.ts'
import { ledgerOf } from '../../domain/wallet/index.ts'
import { now } from '../../process/clock.ts'
import { monthOf, monthStart } from '../../pure/month.ts'
import { budgetForms } from '../budget-drawers.tsx'
import { type LimitForm, limitFormOf } from '../budget-limit.ts'
import { hiddenColumns, innerPaging, type PageRequest, showList } from '../list-page.ts'
import { formOf, type UserForm } from './form.ts'

export type UsersPage = PageRequest<z.output<typeof usersAddress.query>>

export const { viewOf } = usersAddress

export const budgets = budgetForms<UsersPage>({
  place: page => budgetsOfUsers(viewOf(page.query)),
  manager: page => ({ actor: page.actor }),
  show: (page, drawer) => show(page, drawer),
})

/** Names shown at once; the next ones follow when these are changed. */
const TWINS_MAX = 20

/** @param refused a form over the list with its errors, in place of what the address opens */
export const show = (page: UsersPage, refused?: ReactNode): Promise<Response> =>
  showList(
    page,
    {
      title: 'user.document_title',
      at: last => usersAt({ ...viewOf(page.query), page: last }),
      find: paging => listDatedUsers(page.caller, filterOf(page.query, page.visit), paging),
      content: (list, overlay) => listView(page, list, overlay),
      overlayOf,
    },
    refused,
  )

/** An amount that is no number limits nothing. */
export function filterOf({ below, ...filter }: UsersPage['query'], { status }: Visit): UserFilter {
  const amount = numberOf(below ?? '')
  return { ...filter, below: Number.isFinite(amount) ? toQuota(amount, status) : undefined }
}

async function listView({ request, caller, query }: UsersPage, list: Listing<DatedUser>, overlay: ReactNode) {
  const spent = await spentByUsers(
    list.items.map(user => user.id),
    monthStart(monthOf(now())),
  )
  const users = list.items.map(user => ({ ...withReach(caller, user), spent_this_month: spent.get(user.id) }))
  return (
    <Users
      list={{ ...list, items: users }}
      view={viewOf(query)}
      hidden={hiddenColumns(request, userColumns)}
      groups={groupRatios()}
      twins={caller.role >= Role.root ? await usernameTwins(TWINS_MAX) : []}
      overlay={overlay}
    />
  )
}

const withReach = <User extends UserView>(caller: SessionUser, user: User) => ({
  ...user,
  seen: maySee(caller, user),
  changeable: mayChange(caller, user) && user.DeletedAt === null,
  by_root: caller.role >= Role.root,
})

const groupRatios = () => Object.fromEntries(groupNames().map(name => [name, groupRatio(name)]))

/** A user whom the caller may see. @throws Refusal 404 or 403 */
export const userFor = async ({ caller }: UsersPage, id: number): Promise<ReachedUser> =>
  withReach(caller, await viewFor(caller, id))

async function overlayOf(page: UsersPage): Promise<ReactNode> {
  const { query } = page
  const view = viewOf(query)
  const budget = await budgets.overlayOf(page)
  if (budget) return budget
  if (query.new !== undefined) return newDrawer(page)
  if (query.edit) return editDrawer(page, query.edit)
  if (query.quota) return quotaDialog(page, query.quota)
  if (query.regroup.length) return regroup(page, query.regroup)
  if (query.add_quota.length) return quotaForMany(page, query.add_quota)
  if (query.delete) return <ConfirmDeregister view={view} user={await userFor(page, query.delete)} />
  if (query.devices) {
    const user = await userFor(page, query.devices)
    return <Devices view={view} user={user} devices={await sessionsOf(user.id)} />
  }
  if (query.ledger) {
    const user = await userFor(page, query.ledger)
    return <Ledger view={view} user={user} list={await ledgerOf(user.id, innerPaging(page))} />
  }
  if (query.tokens) {
    const user = await userFor(page, query.tokens)
    return <TokensOfUser view={view} user={user} list={await listTokens(user.id, innerPaging(page))} />
  }
}

type Errors = Record<string, string>

export const newDrawer = (page: UsersPage, form?: UserForm, errors: Errors = {}) => (
  <NewUserDrawer view={viewOf(page.query)} form={form ?? formOf()} errors={errors} />
)

export async function editDrawer(page: UsersPage, id: number, form?: UserForm & LimitForm, errors: Errors = {}) {
  const user = await userFor(page, id)
  const ofUser = await budgetsShown('user', id)
  return (
    <UserDrawer
      view={viewOf(page.query)}
      user={user}
      form={form ?? { ...formOf(user), ...limitFormOf(ofUser, page.visit) }}
      errors={errors}
      groups={groupRatios()}
      budgets={ofUser}
    />
  )
}

export async function quotaDialog(page: UsersPage, id: number, form?: UserForm, errors: Errors = {}) {
  const user = await userFor(page, id)
  return <QuotaDialog view={viewOf(page.query)} user={user} form={form ?? formOf(user)} errors={errors} />
}

export const quotaForMany = ({ query }: UsersPage, ids: number[], form?: UserForm, errors: Errors = {}) => (
  <QuotaForMany view={viewOf(query)} ids={ids} form={form ?? formOf()} errors={errors} />
)

export const regroup = ({ query }: UsersPage, ids: number[], errors: Errors = {}) => (
  <Regroup view={viewOf(query)} ids={ids} groups={groupRatios()} errors={errors} />
)
