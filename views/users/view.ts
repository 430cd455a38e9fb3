/** Addresses of the users page: what the list shows, what is open over it, where its forms are sent. */
import { USERS_PATH } from '../../src/contracts/user.ts'
import { addressOf } from '../../src/contracts/list-address.ts'

export interface UsersView {
  page?: number
  keyword?: string
  group?: string
}

/** Drawer or dialog over the list, with the id of its user or the ids of several. `lp` is a page of what is open. */
type Over =
  | 'new'
  | { edit: number }
  | { quota: number }
  | { delete: number }
  | { ledger: number; lp?: number }
  | { devices: number }
  | { tokens: number; lp?: number }
  | { regroup: string }

export const usersAt = (view: UsersView, over?: Over): string => addressOf(USERS_PATH, view, over)

/** Target of a form: `3`, `3/manage`, `3,4/group`, `selected`. The view is shown again when the form is refused. */
export const usersAction = (view: UsersView, action: string): string => addressOf(`${USERS_PATH}/${action}`, view)

export const exportUsersAt = (view: UsersView): string => addressOf(`${USERS_PATH}/export.csv`, { ...view, page: 1 })
