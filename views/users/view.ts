/** Addresses of the users page. */
import { listAddress, rowId, rowIds, shown, type ViewOf } from '../../src/contracts/list-address.ts'
import { optional } from '../../src/contracts/paging.ts'
import { USERS_PATH } from '../../src/contracts/user.ts'

export const usersAddress = listAddress(
  USERS_PATH,
  { keyword: optional, group: optional },
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
  },
)
export type UsersView = ViewOf<typeof usersAddress>

export const { at: usersAt, action: usersAction } = usersAddress
