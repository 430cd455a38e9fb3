// @engine both
/** Balances that administrators change, while users spend. */
import { expect, test } from 'bun:test'
import { desc, eq } from 'drizzle-orm'
import { LogType } from '../../src/contracts/log.ts'
import { db } from '../../src/db/database.ts'
import { logs } from '../../src/domain/logs/table.ts'
import { auditWallets, extend, release } from '../../src/domain/wallet/index.ts'
import { ledger } from '../../src/domain/wallet/table.ts'
import { balance, setUp, visitor } from '../support/people/person.ts'
import { hold, spend, spendingUser } from '../support/people/spending-user.ts'

const root = await setUp()

test('quota_delta changes the balance, with rows in the ledger and the log', async () => {
  const ann = await visitor(1, 700)
  expect((await root.put('/api/user/', { id: ann.id, quota_delta: 300 })).data.quota).toBe(1000)
  expect((await root.put('/api/user/', { id: ann.id, quota_delta: -1000 })).data.quota).toBe(0)
  expect(await root.put('/api/user/', { id: ann.id, quota_delta: -1 })).toMatchObject({
    ...{ status: 400, code: 'wallet.balance_too_small' },
  })
  expect(await root.put('/api/user/', { id: ann.id, quota: -5 })).toMatchObject({
    ...{ status: 400, code: 'user.quota_negative', field: 'quota', message: 'A balance must not be negative' },
  })
  const [row] = await db.select().from(ledger).where(eq(ledger.user_id, ann.id)).orderBy(desc(ledger.id)).limit(1)
  expect(row).toMatchObject({ kind: 'admin', delta: -1000, balance_after: 0, actor_id: root.id })
  const [entry] = await db.select().from(logs).where(eq(logs.user_id, ann.id)).orderBy(desc(logs.id)).limit(1)
  expect(entry).toMatchObject({ type: LogType.manage, username: ann.username })
  const noted = { values: { before: 1000, after: 0 }, admin_info: { admin_id: root.id, admin: 'root' } }
  expect(JSON.parse(entry!.other)).toEqual(noted)
  const own = (await ann.get('/api/log/self?type=3')).data.items[0]
  expect(own.content).toBe('An administrator changed the balance from $0.002000 to $0.000000')
  expect(own.other).not.toContain('root')
  const whole = (await root.get(`/api/log/?type=3&username=${ann.username}`)).data.items[0]
  expect(whole.content).toBe(`${own.content} · root`)
})

test('a balance that was read earlier is not set, and not restored by a row sent back', async () => {
  const annsKey = await spendingUser(1000)
  const ann = annsKey.person
  const { data: row } = await root.get(`/api/user/${ann.id}`)
  await spend(annsKey, 100)
  expect(await root.put('/api/user/', { ...row, display_name: 'Ann' })).toMatchObject({ success: true })
  expect(await balance(ann)).toBe(900)
  expect(await root.put('/api/user/', { ...row, quota: 5000 })).toMatchObject({
    ...{ status: 409, code: 'user.quota_conflict', field: 'quota' },
    message: 'The balance has changed from 1000 to 900 since it was read. Read it again, or send quota_delta',
  })
  expect(await balance(ann)).toBe(900)
  const { data: fresh } = await root.get(`/api/user/${ann.id}`)
  expect((await root.put('/api/user/', { ...fresh, quota: 5000 })).data.quota).toBe(5000)
  expect((await root.put('/api/user/', { id: ann.id, quota: 20 })).data.quota).toBe(20)
  expect(await root.put('/api/user/', { id: ann.id, quota: 30, quota_delta: 5 })).toMatchObject({
    ...{ status: 400, field: 'quota_delta' },
  })
  expect((await root.put('/api/user/', { ...row, quota_delta: 5 })).data.quota).toBe(25)
})

test('edits during spending move no balance', async () => {
  const annsKey = await spendingUser(100_000)
  const ann = annsKey.person
  const { data: row } = await root.get(`/api/user/${ann.id}`)
  const edits = Array.from({ length: 25 }, (_, index) =>
    root.put('/api/user/', { ...row, display_name: `Ann ${index}`, concurrency_limit: index }),
  )
  await Promise.all([...Array.from({ length: 50 }, () => spend(annsKey, 10)), ...edits])
  expect(await balance(ann)).toBe(100_000 - 500)
  for (const edit of edits) expect((await edit).success).toBe(true)
  const deltas = Array.from({ length: 10 }, () => root.put('/api/user/', { id: ann.id, quota_delta: 7 }))
  await Promise.all([...Array.from({ length: 50 }, () => spend(annsKey, 10)), ...deltas])
  expect(await balance(ann)).toBe(100_000 - 1000 + 70)
  expect((await auditWallets()).difference).toBeUndefined()
})

test('a banned or deregistered user cannot reserve or extend', async () => {
  for (const action of ['disable', 'delete']) {
    const ann = await spendingUser(1000)
    const held = await hold(ann, 10)
    await root.post('/api/user/manage', { id: ann.person.id, action })
    const inactive = { code: 'wallet.user_inactive', status: 403 }
    expect(await extend(held, 10).catch(error => error)).toMatchObject(inactive)
    expect(await hold(ann, 10).catch(error => error)).toMatchObject(inactive)
    await release(held)
  }
})
