/** CSV export of the users, streamed while they are read. */
import { roleName, stateName } from '../../../views/users/state.tsx'
import { fromQuota } from '../../billing/quota.ts'
import type { SessionUser } from '../../contracts/account.ts'
import type { DatedUser, UserFilter } from '../../contracts/user.ts'
import type { Visit } from '../../contracts/visit.ts'
import { maySee, walkUsers } from '../../domain/users/index.ts'
import { translator } from '../../locales/index.ts'
import { now } from '../../process/clock.ts'
import { day, exact } from '../../pure/time.ts'
import { type CsvColumn, csvResponse } from '../../web/csv.ts'

/** Of users whom the reader may not see there are names, role, state and group only. */
export function exportUsers(reader: SessionUser, filter: UserFilter, visit: Visit): Response {
  const columns = columnsOf(visit).map(({ head, cell, figure }) => ({
    head,
    cell: (user: DatedUser) => (figure && !maySee(reader, user) ? '' : cell(user)),
  }))
  return csvResponse({
    user_id: reader.id,
    name: `users-${day(now(), visit.zone)}`,
    columns,
    batches: walkUsers(reader, filter),
  })
}

interface Column extends CsvColumn<DatedUser> {
  /** Blank for users whom the reader may not see. */
  figure?: boolean
}

function columnsOf({ language, status, zone }: Visit): Column[] {
  const t = translator(language)
  return [
    { head: t('user.id'), cell: user => user.id },
    { head: t('user.username'), cell: user => user.username },
    { head: t('user.display_name'), cell: user => user.display_name },
    { head: t('user.bound_email'), cell: user => user.email },
    { head: t('user.role'), cell: user => roleName(user.role, t) },
    { head: t('user.state'), cell: user => t(stateName(user)) },
    { head: t('user.group'), cell: user => user.group },
    { head: t('user.left'), cell: user => fromQuota(user.quota, status), figure: true },
    { head: t('user.used'), cell: user => fromQuota(user.used_quota, status), figure: true },
    { head: t('user.calls'), cell: user => user.request_count, figure: true },
    { head: t('user.invites'), cell: user => user.aff_count, figure: true },
    { head: t('user.inviter'), cell: user => user.inviter_id || '' },
    { head: t('user.concurrency'), cell: user => user.concurrency_limit, figure: true },
    { head: t('user.tokens_per_minute'), cell: user => user.tokens_per_minute, figure: true },
    { head: t('user.created_at'), cell: user => exact(user.created_time, zone), figure: true },
    { head: t('user.last_seen'), cell: user => (user.last_seen ? exact(user.last_seen, zone) : ''), figure: true },
  ]
}
