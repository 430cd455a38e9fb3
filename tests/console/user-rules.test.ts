/** Users of a selection, of a search and of an undo: which of them are changed or found, and which are left alone. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { desc, eq } from 'drizzle-orm'
import { Role, UserStatus } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { regroupUsers } from '../../src/domain/account/index.ts'
import { auditLog } from '../../src/domain/audit-log/table.ts'
import { noticeTimes } from '../../src/domain/notices/table.ts'
import { findUsers, userByLogin } from '../../src/domain/users/index.ts'
import { users } from '../../src/domain/users/table.ts'
import { charged } from '../../src/domain/wallet/charged.ts'
import { now } from '../../src/process/clock.ts'
import { setOption } from '../support/app/options.ts'
import { actorOf } from '../support/people/actor.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'
import { until } from '../support/until.ts'

const root = await setUp()
const admin = await visitor(Role.admin)

beforeEach(async () => void (await db.delete(auditLog)))

const change = (person: Person, values: Partial<typeof users.$inferInsert>) =>
  db.update(users).set(values).where(eq(users.id, person.id))
const rowOf = async ({ id }: Person) => (await db.select().from(users).where(eq(users.id, id)))[0]!
const changes = async () =>
  (await db.select().from(auditLog).orderBy(desc(auditLog.id))).map(({ action, target_name }) => [action, target_name])

/** A user of each kind, by the name of the kind. */
async function kinds() {
  const [plain, banned, gone, boss, second] = await Promise.all([
    visitor(),
    visitor(),
    visitor(),
    visitor(Role.admin),
    visitor(Role.root),
  ])
  await change(banned, { status: UserStatus.banned })
  await change(gone, { deleted_time: now() })
  return { plain, banned, gone, boss, second }
}

describe('a selection', () => {
  type Kind = keyof Awaited<ReturnType<typeof kinds>>
  const rows: [by: Person, action: string, changed: Kind[]][] = [
    [root, 'disable', ['plain', 'boss']],
    [admin, 'disable', ['plain']],
    [root, 'enable', ['banned']],
    [admin, 'enable', ['banned']],
  ]

  test.each(rows)('users are changed by role and state alone: row %#', async (by, action, changed) => {
    const people = await kinds()
    const before = Object.fromEntries(
      await Promise.all(Object.entries(people).map(async ([kind, one]) => [kind, (await rowOf(one)).status] as const)),
    )
    const ids = Object.values(people).map(({ id }) => String(id))
    await by.form('/admin/users/selected', { 'ids[]': ids, action })
    const status = action === 'disable' ? UserStatus.banned : UserStatus.enabled
    for (const [kind, one] of Object.entries(people)) {
      const expected = changed.includes(kind as Kind) ? status : before[kind]!
      expect([kind, (await rowOf(one)).status]).toEqual([kind, expected])
    }
    expect((await changes()).map(([, name]) => name).sort()).toEqual(changed.map(kind => people[kind].username).sort())
  })

  test('a group is given to users who are in another one, within reach, with an entry each', async () => {
    const { plain, banned, gone, boss, second } = await kinds()
    await change(banned, { group: 'vip' })
    const ids = [plain, banned, gone, boss, second].map(({ id }) => id)
    expect((await regroupUsers(await actorOf(admin), ids, 'vip')).map(({ id }) => id)).toEqual([plain.id])
    expect(await changes()).toEqual([['user.edit', plain.username]])
    expect((await rowOf(plain)).group).toBe('vip')
    const refused = regroupUsers(await actorOf(admin), ids, 'nothing')
    expect(await refused.catch(error => [error.code, error.field])).toEqual(['user.group_unknown', 'group'])
  })
})

describe('an edit', () => {
  test('a balance is given as itself or as a change, not as both', async () => {
    const ann = await visitor(Role.user, 100)
    const edit = (fields: object) => root.put('/api/user/', { id: ann.id, ...fields })
    const refusals: [object, number, string, string][] = [
      [{ quota: 7, quota_delta: 1 }, 400, 'user.quota_twice', 'quota_delta'],
      [{ quota: -1 }, 400, 'user.quota_negative', 'quota'],
      [{ quota: 7, quota_read: 99 }, 409, 'user.quota_conflict', 'quota'],
    ]
    for (const [fields, status, code, field] of refusals)
      expect(await edit(fields)).toMatchObject({ success: false, status, code, field })
    expect((await rowOf(ann)).quota).toBe(100)
    // Unchanged since it was read: no change at all.
    expect((await edit({ quota: 99, quota_read: 99, quota_delta: 5 })).success).toBe(true)
    expect((await edit({ quota: 50, quota_read: 105 })).success).toBe(true)
    expect((await edit({ quota: 40 })).success).toBe(true)
    expect((await edit({ quota: 0, quota_read: 40 })).success).toBe(true)
    expect((await rowOf(ann)).quota).toBe(0)
  })

  test('a fixed field may be sent back as it is, and is refused by its name otherwise', async () => {
    const ann = await visitor()
    const { role, status, email, github_id, inviter_id } = await rowOf(ann)
    const same = { role, status, email, github_id: github_id ?? '', inviter_id }
    for (const [field, value] of Object.entries(same)) {
      const other = typeof value === 'number' ? value + 1 : 'other'
      expect(await root.put('/api/user/', { id: ann.id, [field]: other })).toMatchObject({
        ...{ status: 400, code: 'user.field_fixed', field },
      })
    }
  })
})

describe('a search', () => {
  test('the page behind the last has the total of the others', async () => {
    const ann = await visitor()
    await change(ann, { display_name: 'only one' })
    const { data } = await root.get('/api/user/search?keyword=only%20one&p=5')
    expect([data.total, data.items]).toEqual([1, []])
  })

  test('the exact name comes first, then others newest first, without those who have deregistered', async () => {
    const people = []
    for (const username of ['seek', 'seek-1', 'seek-2', 'seek-3']) {
      const person = await visitor()
      await change(person, { username })
      people.push(person)
    }
    const [exact, one, two, three] = people as [Person, Person, Person, Person]
    await change(three, { deleted_time: now() })
    const reader = { id: root.id, role: Role.root }
    const found = async (keyword: string, max: number) => (await findUsers(reader, keyword, max)).map(({ id }) => id)
    expect(await found('seek', 9)).toEqual([exact.id, two.id, one.id])
    expect(await found('seek', 2)).toEqual([exact.id, two.id])
    expect(await found('', 2)).toEqual([two.id, one.id])
  })

  test('a login finds nobody who has deregistered, by name or by address', async () => {
    const { gone, banned } = await kinds()
    await change(gone, { email: 'gone@example.com' })
    await change(banned, { email: 'banned@example.com' })
    expect([await userByLogin(gone.username), await userByLogin('gone@example.com')]).toEqual([undefined, undefined])
    expect((await userByLogin('BANNED@example.com'))?.id).toBe(banned.id)
  })
})

describe('low balances', () => {
  test('a warning goes to users who can sign in, below their threshold alone', async () => {
    await setOption('SMTPServer', 'localhost')
    await setOption('SMTPFrom', 'a@example.com')
    await setOption('QuotaRemindThreshold', 100)
    const people = await kinds()
    const [equal, own] = [await visitor(), await visitor()]
    const { plain, banned, gone } = people
    for (const person of [plain, banned, gone, equal, own])
      await change(person, { email: `u${person.id}@example.com`, quota: person === equal || person === own ? 100 : 99 })
    await change(own, { setting: JSON.stringify({ quota_warning_threshold: 101 }) })
    const balances = [banned, gone, equal, own, plain].map(({ id }) => ({ user_id: id, balance: 50 }))
    charged.announce(balances)
    const warned = async () => (await db.select().from(noticeTimes)).map(({ user_id }) => user_id).sort((a, b) => a - b)
    const expected = [plain.id, own.id].sort((a, b) => a - b)
    await until(async () => (await warned()).length >= expected.length)
    await Bun.sleep(20)
    expect(await warned()).toEqual(expected)
  })
})
