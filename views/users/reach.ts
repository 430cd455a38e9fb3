/** What an administrator may do with a user of the list. */
import { Role, UserStatus } from '../../src/contracts/account.ts'
import type { DatedUser, UserView } from '../../src/contracts/user.ts'

/** A user, and how far the reader's rights reach. */
export interface ReachedUser extends UserView {
  /** The reader sees more than names, role and state. */
  seen: boolean
  /** The reader may change this user. */
  changeable: boolean
  /** The reader is a super admin. */
  by_root: boolean
}

/** A user of the list. */
export interface ListedUser extends ReachedUser, DatedUser {
  /** Quota; undefined for none. */
  spent_this_month?: number
}

export const canSwitch = ({ changeable, role, status }: ReachedUser): boolean =>
  changeable && role < Role.root && (status === UserStatus.enabled || status === UserStatus.banned)

export const canPromote = ({ by_root, changeable, role }: ReachedUser): boolean =>
  by_root && changeable && role < Role.admin

export const canDemote = ({ changeable, role }: ReachedUser): boolean =>
  changeable && role < Role.root && role !== Role.user

export const canDelete = ({ changeable, role }: ReachedUser): boolean => changeable && role < Role.root
