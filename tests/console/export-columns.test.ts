/** Columns of CSV files of keys and users: each has its own field. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { tokens } from '../../src/domain/tokens/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { setPrice } from '../support/app/prices.ts'
import { keyOf } from '../support/people/budgets.ts'
import { client } from '../support/people/client.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'

/** Unix seconds, an hour apart. */
const [FIRST, SECOND] = [1_767_225_600, 1_767_229_200]
/** A quota of this many hundredths of a USD. */
const cents = (count: number) => count * 5000

/** The row of a file that begins with these cells, by the heads of its columns. */
async function rowIn(person: Person, path: string, ...begins: (string | number)[]): Promise<Record<string, string>> {
  const [head, ...lines] = (await (await person.fetch(path)).text()).trim().split('\r\n')
  const line = lines.find(one => one.startsWith(`${begins.join()},`))!
  const cells = line.split(',')
  return Object.fromEntries(head!.split(',').map((name, at) => [name, cells[at]!]))
}

test('the export of keys has each field in its column', async () => {
  await setPrice('ModelRatio', { a: 1, b: 1, c: 1 })
  await setPrice('GroupRatio', { default: 1, vip: 1, spare: 1 })
  await setPrice('UserUsableGroups', { default: '', vip: '', spare: '' })
  const ann = await client({
    ...{ name: 'exported', group: 'vip', fallback_groups: 'default,spare', fallback_models: 'b,a' },
    ...{ model_limits_enabled: true, model_limits: 'a,b', allow_ips: '10.0.0.1\n10.0.0.2' },
  })
  const id = await keyOf(ann)
  const figures = { remain_quota: cents(7), used_quota: cents(3), expired_time: FIRST, accessed_time: SECOND }
  await db
    .update(tokens)
    .set({ ...figures, unlimited_quota: false, model_limits: 'a' })
    .where(eq(tokens.id, id))
  expect(await rowIn(ann.person, '/app/tokens/export.csv', 'exported')).toMatchObject({
    ...{ State: 'Expired', Left: '0.07', Spent: '0.03', Group: 'vip', Models: 'a' },
    ...{ 'Fall back to other groups': 'default spare', 'Fallback models': 'b a', 'Allowed IPs': '10.0.0.1 10.0.0.2' },
    ...{ Expires: '2026-01-01 00:00:00', 'Last used': '2026-01-01 01:00:00' },
  })
})

test('the export of users has each field in its column', async () => {
  const root = await setUp()
  const [ann, admin] = [await visitor(), await visitor(Role.admin)]
  const figures = { quota: cents(7), used_quota: cents(3), request_count: 5, aff_count: 6, inviter_id: admin.id }
  const limits = { concurrency_limit: 8, tokens_per_minute: 9, created_time: FIRST, last_seen: SECOND }
  const names = { display_name: 'Ann', email: 'ann@exported.example', group: 'vip' }
  await db
    .update(users)
    .set({ ...figures, ...limits, ...names })
    .where(eq(users.id, ann.id))
  expect(await rowIn(root, '/admin/users/export.csv', ann.id)).toEqual({
    ...{ ID: String(ann.id), Username: ann.username, 'Display name': 'Ann', Email: 'ann@exported.example' },
    ...{ Role: 'User', State: 'Enabled', Group: 'vip', Left: '0.07', Spent: '0.03', Calls: '5', Invitations: '6' },
    ...{ Inviter: String(admin.id), 'Calls at the same time': '8', 'Tokens per minute': '9' },
    ...{ Created: '2026-01-01 00:00:00', 'Last seen': '2026-01-01 01:00:00' },
  })
})
