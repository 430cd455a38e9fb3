/** Addresses of the users page. */
import type { Sort } from '../../client/components/table.tsx'
import { listAddress, rowId, rowIds, shown, type ViewOf } from '../../src/contracts/list-address.ts'
import { optional } from '../../src/contracts/paging.ts'
import { USERS_PATH, UserFilter, type UserSort } from '../../src/contracts/user.ts'
import { type BudgetPlace, budgetOverlays } from '../budgets/view.ts'

export const usersAddress = listAddress(
  USERS_PATH,
  {
    ...UserFilter.shape,
    /** Balances below this amount, in USD or in quota, as it was typed. */
    below: optional,
  },
  {
    new: shown,
    edit: rowId,
    quota: rowId,
    delete: rowId,
    ledger: rowId,
    devices: rowId,
    tokens: rowId,
    /** Page of the ledger or of the list of API keys. */
    lp: optional,
    regroup: rowIds,
    add_quota: rowIds,
    ...budgetOverlays,
  },
)
export type UsersView = ViewOf<typeof usersAddress>

export const { at: usersAt, action: usersAction } = usersAddress

export const budgetsOfUsers = (view: UsersView): BudgetPlace => ({
  owner: 'user',
  at: overlay => usersAt(view, overlay),
  action: path => usersAction(view, path),
})

/** The list by this column, the most first; by the same column again the least. */
export const sortedBy = (view: UsersView, column: 'spent' | 'left' | 'calls' | 'seen'): Sort => {
  const { sort } = view
  const other: UserSort = sort === column ? `-${column}` : column
  const order = sort === column ? 'descending' : sort === `-${column}` ? 'ascending' : undefined
  return { order, href: usersAt({ ...view, page: 1, sort: other }) }
}
