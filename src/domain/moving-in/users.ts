/** Users of another gateway: who they are, how they sign in, and what they own. */
import { foldName, Role, UserStatus } from '../../contracts/account.ts'
import { digest } from '../../crypto/sealing.ts'
import { run } from '../../db/atomic.ts'
import { db, type Tx } from '../../db/database.ts'
import type { ForeignRow } from '../../db/foreign/foreign-database.ts'
import { now } from '../../process/clock.ts'
import { githubNames } from '../oauth/table.ts'
import { users } from '../users/table.ts'
import { recordBalances, recordOpenings } from '../wallet/index.ts'
import { carryAll, type Entry, idsInOrder } from './carry.ts'
import { countNote, type Move, note } from './move.ts'
import { isBroken, isDeleted, moment, text, whole } from './row.ts'
import { settingText } from './user-setting.ts'

const COLUMNS = [
  ...[
    'username',
    'password',
    'display_name',
    'role',
    'status',
    'email',
    'quota',
    'used_quota',
    'request_count',
    'group',
  ],
  ...['github_id', 'oidc_id', 'linux_do_id', 'wechat_id', 'telegram_id', 'access_token', 'setting', 'created_at'],
  ...['aff_code', 'aff_count', 'aff_quota', 'aff_history', 'inviter_id', 'last_check_in_time', 'deleted_at'],
]

type UserRow = typeof users.$inferInsert & {
  /** GitHub's login name, which binds the user at a sign-in with the same address. */
  github_name?: string
}

/** Those of one user each, beside the name and the address. */
const BOUND = [
  'github_id',
  'oidc_id',
  'linux_do_id',
  'wechat_id',
  'telegram_id',
  'aff_code',
  'access_token_hash',
] as const
type Bound = (typeof BOUND)[number]

/** What is taken here, and by users who are carried. */
interface Occupancy {
  names: Set<string>
  emails: Set<string>
  bound: Record<Bound, Set<string>>
}

export async function moveUsers(move: Move) {
  const taken = await takenHere()
  const keepers = await keepersOfAddresses(move)
  await carryAll<UserRow>(move, {
    noun: 'user',
    table: users,
    batches: move.from.read('users', COLUMNS),
    before: row => noteBefore(move, row),
    read: rows => rows.flatMap(row => entryOf(move, row, taken, keepers) ?? []),
    *write(tx, entries) {
      const made = yield* run(
        tx
          .insert(users)
          .values(entries.map(({ row: { github_name: _, ...row } }) => row))
          .returning({ id: users.id, username: users.username }),
      )
      const usernames = entries.map(({ row }) => row.username)
      const ids = idsInOrder(made, 'username', usernames)
      const named = entries.flatMap(({ row: { github_name: name } }, at) => (name ? [{ user_id: ids[at]!, name }] : []))
      if (named.length) yield* run(tx.insert(githubNames).values(named))
      yield* recordMoney(tx, move, entries, ids)
      return ids
    },
  })
}

function* recordMoney(tx: Tx, { product, source }: Move, entries: Entry<UserRow>[], ids: number[]) {
  const of = entries.map(({ source_id, row: { quota = 0, used_quota = 0, request_count = 0 } }, at) => ({
    ...{ id: ids[at]!, reference: `${product}:${source}:${source_id}`, quota, used_quota, request_count },
  }))
  yield* recordBalances(
    tx,
    of.map(({ id, quota, reference }) => ({ user_id: id, quota, reference })),
  )
  yield* recordOpenings(
    tx,
    'user',
    of.map(({ id, used_quota, request_count }) => ({ owner_id: id, used_quota, request_count })),
  )
}

/** Its balance is that of the run which has carried it; what the other gateway has changed since stays there. */
function noteBefore(move: Move, row: ForeignRow) {
  const quota = BigInt(whole(row.quota))
  const isLeft = isGone(move, row)
  move.balances.found += quota
  move.balances[isLeft ? 'left' : 'before'] += quota
  if (isLeft) move.deletedUsers.add(whole(row.id))
}

/** one-api keeps deleted accounts with this status. */
const DELETED_STATUS = 3

export const isGone = ({ product }: Move, row: ForeignRow) =>
  isDeleted(row) || (product === 'one-api' && whole(row.status) === DELETED_STATUS)

/** @returns undefined for a deleted account whose name is taken here anyway */
function entryOf(
  move: Move,
  row: ForeignRow,
  taken: Occupancy,
  keepers: Map<string, number>,
): Entry<UserRow> | undefined {
  const id = whole(row.id)
  const balance = whole(row.quota)
  move.balances.found += BigInt(balance)
  if (isGone(move, row)) {
    move.deletedUsers.add(id)
    move.balances.left += BigInt(balance)
    return reservedName(move, row, taken)
  }
  move.balances.carried += BigInt(balance)
  if (isAtLimit(row)) note(move, 'user', 'moving.quota_wrapped', id, { quota: balance })
  const username = freeName(move, row, taken)
  const email = addressOf(move, row, taken, keepers)
  return {
    source_id: id,
    mark: markOf(row),
    row: {
      ...nameColumns(username),
      display_name: text(row.display_name) || username,
      ...passwordOf(move, row),
      role: roleOf(move, row),
      status: whole(row.status, UserStatus.enabled) === UserStatus.enabled ? UserStatus.enabled : UserStatus.banned,
      email,
      ...githubName(move, row, email),
      ...boundOf(move, row, taken),
      group: text(row.group) || 'default',
      quota: balance,
      used_quota: Math.max(0, whole(row.used_quota)),
      request_count: Math.max(0, whole(row.request_count)),
      aff_count: Math.max(0, whole(row.aff_count)),
      aff_quota: Math.max(0, whole(row.aff_quota)),
      aff_history_quota: Math.max(0, whole(row.aff_history)),
      inviter_id: move.ids.user.get(whole(row.inviter_id)) ?? 0,
      last_check_in_day: dayOf(moment(row.last_check_in_time)),
      setting: settingText(row.setting),
      created_time: whole(row.created_at) || now(),
    },
  }
}

const nameColumns = (username: string) => ({ username, username_folded: foldName(username) })

/** Its name stays reserved, and nothing else of it is carried. */
function reservedName(move: Move, row: ForeignRow, taken: Occupancy): Entry<UserRow> | undefined {
  countNote(move, 'moving.user_deleted')
  const username = text(row.username)
  if (!username || taken.names.has(foldName(username))) return
  taken.names.add(foldName(username))
  const time = moment(row.deleted_at) || now()
  return {
    source_id: whole(row.id),
    mark: markOf(row),
    row: { ...nameColumns(username), status: UserStatus.banned, created_time: time, deleted_time: time },
  }
}

/** Does not change, and differs between installations. */
export const markOf = (row: ForeignRow): string => text(row.aff_code)

/** Where 32 bits end: a balance near either end has stopped there, or come round. */
const LIMIT = 2 ** 31 - 1
const NEAR_LIMIT = 2 ** 30

const isAtLimit = ({ quota, used_quota }: ForeignRow) =>
  [whole(quota), whole(used_quota)].some(value => value === LIMIT || value <= -NEAR_LIMIT)

function freeName(move: Move, row: ForeignRow, { names }: Occupancy): string {
  const wanted = text(row.username)
  const base = wanted || `user-${whole(row.id)}`
  if (isBroken(wanted)) note(move, 'user', 'moving.text_broken', whole(row.id), { name: wanted })
  let name = base
  for (let number = 2; names.has(foldName(name)); number++) name = `${base}-${number}`
  names.add(foldName(name))
  if (name !== wanted) note(move, 'user', 'moving.user_renamed', whole(row.id), { name: wanted, new_name: name })
  return name
}

const HASH = /^\$(2[abxy]|argon2\w+)\$/

function passwordOf(move: Move, row: ForeignRow) {
  const password = text(row.password)
  if (HASH.test(password)) return { password }
  countNote(move, 'moving.user_without_password')
  return { password: '' }
}

/** One root holds. */
function roleOf(move: Move, row: ForeignRow): number {
  const role = whole(row.role, Role.user)
  if (whole(row.id) === move.newRoot) return Role.root
  if (role < Role.admin) return Role.user
  if (role >= Role.root) note(move, 'user', 'moving.root_is_admin', whole(row.id), { name: text(row.username) })
  return Role.admin
}

const SECONDS_OF_MS = 1000
const dayOf = (time: number) => (time ? new Date(time * SECONDS_OF_MS).toISOString().slice(0, 10) : null)

const emailOf = (row: ForeignRow) => text(row.email).trim().toLowerCase()

/** Of users with one address the newest enabled one keeps it. @returns the id there by address */
async function keepersOfAddresses(move: Move): Promise<Map<string, number>> {
  const keepers = new Map<string, { id: number; isEnabled: boolean }>()
  for await (const rows of move.from.read('users', ['email', 'status', 'deleted_at'])) {
    for (const row of rows) {
      const email = emailOf(row)
      if (!email || isGone(move, row)) continue
      const isEnabled = whole(row.status, UserStatus.enabled) === UserStatus.enabled
      const before = keepers.get(email)
      if (!before || isEnabled || !before.isEnabled) keepers.set(email, { id: whole(row.id), isEnabled })
    }
  }
  return new Map(Array.from(keepers, ([email, { id }]) => [email, id]))
}

function addressOf(move: Move, row: ForeignRow, { emails }: Occupancy, keepers: Map<string, number>): string {
  const email = emailOf(row)
  if (!email) return ''
  if (keepers.get(email) === whole(row.id) && !emails.has(email)) {
    emails.add(email)
    return email
  }
  note(move, 'user', 'moving.email_shared', whole(row.id), { name: text(row.username) })
  return ''
}

/** GitHub's login names change hands: a number is the user, a name is so together with the address alone. */
const GITHUB_NUMBER = /^\d+$/

const isGitHubName = (github_id: string) => github_id !== '' && !GITHUB_NUMBER.test(github_id)

function githubName(move: Move, row: ForeignRow, email: string): Pick<UserRow, 'github_name'> {
  const name = text(row.github_id)
  if (!isGitHubName(name)) return {}
  note(move, 'user', email ? 'moving.github_name_kept' : 'moving.github_name', whole(row.id), {
    name: text(row.username),
  })
  return email ? { github_name: name.toLowerCase() } : {}
}

function boundOf(move: Move, row: ForeignRow, { bound }: Occupancy): Partial<UserRow> {
  const access_token = text(row.access_token)
  const github_id = text(row.github_id)
  const wanted: Record<Bound, string> = {
    github_id: isGitHubName(github_id) ? '' : github_id,
    oidc_id: text(row.oidc_id),
    linux_do_id: text(row.linux_do_id),
    wechat_id: text(row.wechat_id),
    telegram_id: text(row.telegram_id),
    aff_code: text(row.aff_code),
    access_token_hash: access_token && digest(access_token),
  }
  const free = (name: Bound) => {
    const value = wanted[name]
    if (!value) return
    if (!bound[name].has(value)) return bound[name].add(value) && value
    note(move, 'user', 'moving.binding_taken', whole(row.id), { name: text(row.username), field: name })
  }
  return Object.fromEntries(BOUND.flatMap(name => [free(name)].flatMap(value => (value ? [[name, value]] : []))))
}

async function takenHere(): Promise<Occupancy> {
  const { username, email } = users
  const bound = Object.fromEntries(BOUND.map(name => [name, users[name]])) as Pick<typeof users, Bound>
  const rows = await db.select({ username, email, ...bound }).from(users)
  const valuesOf = (name: Bound) => new Set(rows.map(row => row[name] ?? ''))
  return {
    names: new Set(rows.map(row => foldName(row.username))),
    emails: new Set(rows.map(row => row.email)),
    bound: Object.fromEntries(BOUND.map(name => [name, valuesOf(name)])) as Occupancy['bound'],
  }
}
