/** Another gateway with people, keys and channels: the same for all products, and what is wrong in old databases. */
import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { newFolder } from '../app/server.ts'
import { type Gateway, type Row, type Rows, schemas, statementsOf } from './schemas.ts'

/** bcrypt as those gateways store it, at the least cost. */
export const bcrypt = (password: string) =>
  Bun.password.hashSync(password, { algorithm: 'bcrypt', cost: 4 }).replace('$2b$', '$2a$')

export const OLD_ROOT = { username: 'root', password: '12345678' }
export const ANN = { username: 'ann', password: 'ann-her-password' }
export const ACCESS_TOKEN = 'a'.repeat(32)

const key = (letter: string) => letter.repeat(48)
export const KEYS = { root: key('R'), ann: key('A'), deleted: key('D'), ofDeleted: key('E'), own: 'my-own_key.1' }

const CREATED = 1_700_000_000

let hashes: Record<string, string> | undefined
const hashOf = (password: string) => {
  hashes ??= {}
  hashes[password] ??= bcrypt(password)
  return hashes[password]!
}

const users: Row[] = [
  { id: 1, ...of(OLD_ROOT), role: 100, quota: 100_000_000, used_quota: 7, request_count: 3, aff_code: 'ROOT' },
  {
    id: 2,
    ...of(ANN),
    access_token: ACCESS_TOKEN,
    role: 1,
    quota: 123_456,
    used_quota: 654,
    request_count: 12,
    aff_code: 'ANN1',
    group: 'vip',
  },
  { id: 3, username: 'bob', role: 10, quota: -42, aff_code: 'BOB1', inviter_id: 2, email: 'Shared@example.com' },
  { id: 4, username: 'cat', status: 2, quota: 2_147_483_647, aff_code: 'CAT1', email: 'shared@example.com' },
  { id: 5, username: 'dan', quota: 5000, aff_code: 'DAN1', github_id: 'dan-at-github', email: 'shared@example.com' },
  { id: 7, username: 'eve', quota: 9, aff_code: 'EVE1', github_id: '1234', display_name: 'Eve' },
  { id: 9, username: 'gone', quota: 777, aff_code: 'GONE', deleted_at: '2025-03-04 05:06:07' },
]

function of({ username, password }: { username: string; password: string }): Row {
  return { username, password: hashOf(password), display_name: username }
}

const token = (id: number, user_id: number, text: string, more: Row = {}): Row => ({
  ...{ id, user_id, key: text, status: 1, name: `key ${id}`, created_time: CREATED, expired_time: -1 },
  ...{ remain_quota: 0, unlimited_quota: true, used_quota: 0, ...more },
})

const tokens: Row[] = [
  token(1, 1, KEYS.root),
  token(3, 2, KEYS.ann, { name: 'default', remain_quota: 1000, unlimited_quota: false, used_quota: 54 }),
  token(4, 2, KEYS.deleted, { deleted_at: '2025-03-04 05:06:07' }),
  token(5, 9, KEYS.ofDeleted),
  token(6, 2, KEYS.own),
  token(8, 3, key('B'), { remain_quota: -5, unlimited_quota: false }),
  token(9, 99, key('F')),
]

export const channel = (id: number, type: number, more: Row = {}): Row => ({
  ...{ id, type, key: `sk-${id}`, status: 1, name: `channel ${id}`, weight: 0, created_time: CREATED },
  ...{ models: 'gpt-4o,gpt-4o-mini', group: 'default,vip', used_quota: 100 * id, priority: 0, base_url: '', other: '' },
  ...more,
})

/** one-api has no time of deletion, but a status. */
export function peopled(gateway: Gateway, channels: Row[] = []): Rows {
  const asOneApi = gateway === 'one-api'
  const person = ({ deleted_at, ...row }: Row): Row => ({
    ...{ status: asOneApi && deleted_at ? 3 : 1, role: 1, group: 'default', used_quota: 0, request_count: 0 },
    ...{ email: '', github_id: '', inviter_id: 0, password: '', display_name: '', ...row },
    ...(!asOneApi && { deleted_at: deleted_at ?? null }),
  })
  return {
    users: users.map(person),
    tokens: tokens.filter(row => !asOneApi || !row.deleted_at),
    channels,
    options: [],
  }
}

/** A SQLite file. @param drop columns that it lacks, as those of older versions and of forks */
export function fileOf(gateway: Gateway, rows: Rows, { drop = [] }: { drop?: string[] } = {}): string {
  const path = join(newFolder(), 'old.db')
  const file = new Database(path, { create: true })
  for (const statement of statementsOf('sqlite', gateway, rows)) file.run(statement)
  for (const [table, columns] of Object.entries(schemas[gateway]))
    for (const column of drop) if (column in columns) file.run(`alter table ${table} drop column "${column}"`)
  file.close()
  return path
}

export const gateways = Object.keys(schemas) as Gateway[]
