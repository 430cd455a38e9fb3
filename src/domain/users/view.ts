/** Users as they are shown: to themselves, and to administrators. */
import { Role } from '../../contracts/account.ts'
import type { DatedUser, UserView } from '../../contracts/user.ts'
import type { User } from './table.ts'

export type Reader = Pick<User, 'id' | 'role'>

/** Root sees everyone; others see themselves and users of lower roles. */
export const maySee = (reader: Reader, user: Reader): boolean =>
  reader.role >= Role.root || user.role < reader.role || user.id === reader.id

const MS_PER_SECOND = 1000

export const viewOf = (user: User): UserView => {
  const { password, access_token_hash, setting, language, created_time, last_seen, deleted_time, ...rest } = user
  const { username_folded, username_twin, last_check_in_day, ...shown } = rest
  return {
    ...shown,
    quota_read: user.quota,
    aff_code: user.aff_code ?? '',
    last_check_in_time: last_check_in_day && `${last_check_in_day}T00:00:00Z`,
    DeletedAt: deleted_time === null ? null : new Date(deleted_time * MS_PER_SECOND).toISOString(),
  }
}

const hidden = {
  ...{ email: '', github_id: '', oidc_id: '', linux_do_id: '', wechat_id: '', telegram_id: '' },
  ...{ quota: 0, quota_read: 0, used_quota: 0, request_count: 0 },
  ...{ concurrency_limit: 0, tokens_per_minute: 0 },
  ...{ aff_code: '', aff_count: 0, aff_quota: 0, aff_history_quota: 0, inviter_id: 0, last_check_in_time: null },
}

/** A row of the list: names, role and state only of a user whom the reader may not see. */
export const rowFor = (reader: Reader, user: User): UserView =>
  maySee(reader, user) ? viewOf(user) : { ...viewOf(user), ...hidden }

/** The same for pages and exports, with its moments; 0 where they are unknown. */
export const datedRowFor = (reader: Reader, user: User): DatedUser => {
  const { created_time, last_seen } = maySee(reader, user) ? user : { created_time: 0, last_seen: 0 }
  return { ...rowFor(reader, user), created_time, last_seen }
}
