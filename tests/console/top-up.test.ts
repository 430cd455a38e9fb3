/** `POST /api/topup`: administrators change balances with a remark, once per key. */
import { expect, test } from 'bun:test'
import { desc, eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { LogType } from '../../src/contracts/log.ts'
import { db } from '../../src/db/database.ts'
import { auditWallets } from '../../src/domain/wallet/index.ts'
import { ledger } from '../../src/domain/wallet/table.ts'
import { balance, type Person, setUp, visitor } from '../support/people/person.ts'
import { spend, spendingUser } from '../support/people/spending-user.ts'

const root = await setUp()
const [admin, other] = [await visitor(Role.admin), await visitor(Role.admin)]

const topUp = (person: Person, body: object, key?: string) =>
  person.post('/api/topup', body, key === undefined ? {} : { headers: { 'idempotency-key': key } })

test('a top-up changes the balance, with a ledger row, a log entry and an audit entry', async () => {
  const ann = await visitor(Role.user, 100)
  const { data } = await topUp(admin, { user_id: ann.id, quota: 400, remark: ' for the outage ' })
  expect(data).toEqual({ user_id: ann.id, username: ann.username, balance: 500 })
  expect(await topUp(admin, { user_id: ann.id, quota: -500 })).toMatchObject({ success: true, data: { balance: 0 } })
  const rows = await db.select().from(ledger).where(eq(ledger.user_id, ann.id)).orderBy(desc(ledger.id)).limit(2)
  const entry = { kind: 'admin', actor_id: admin.id, reference: '' }
  expect(rows).toMatchObject([
    { ...entry, delta: -500, balance_after: 0, remark: '' },
    { ...entry, delta: 400, balance_after: 500, remark: 'for the outage' },
  ])
  const log = (await ann.get(`/api/log/self?type=${LogType.manage}`)).data.items
  expect(log.map(({ content }: { content: string }) => content)).toEqual([
    'An administrator changed the balance from $0.001000 to $0.000000',
    'An administrator changed the balance from $0.000200 to $0.001000',
  ])
  const changes = (await root.get(`/api/audit/?action=user.top_up&keyword=${ann.id}`)).data.items
  expect(changes).toMatchObject([
    { before: { quota: 500 }, after: { quota: 0 }, actor_name: admin.username },
    { before: { quota: 100 }, after: { quota: 500, remark: 'for the outage' }, target_name: ann.username },
  ])
})

test('a top-up that is repeated with its key moves nothing again, and another body is refused', async () => {
  const ann = await visitor()
  const body = { user_id: ann.id, quota: 70, remark: 'once' }
  const answers = await Promise.all(Array.from({ length: 20 }, () => topUp(admin, body, 'key-1')))
  expect(new Set(answers.map(({ data }) => data.balance))).toEqual(new Set([70]))
  expect(await balance(ann)).toBe(70)
  expect(await topUp(admin, { ...body, quota: 71 }, 'key-1')).toMatchObject({
    ...{ status: 422, code: 'error.idempotency_key_reused' },
  })
  expect(await topUp(admin, body, 'a key')).toMatchObject({ status: 400, code: 'error.idempotency_key_invalid' })
  // A key belongs to its sender, and one without a key counts every time.
  for (const key of ['key-1', undefined]) await topUp(other, body, key)
  expect(await balance(ann)).toBe(210)
})

test('a failed top-up leaves its key free', async () => {
  const ann = await visitor()
  const body = { user_id: ann.id, quota: -5 }
  expect(await topUp(admin, body, 'key-2')).toMatchObject({ status: 400, code: 'wallet.balance_too_small' })
  await topUp(admin, { user_id: ann.id, quota: 5 })
  expect(await topUp(admin, body, 'key-2')).toMatchObject({ success: true, data: { balance: 0 } })
})

test.each([
  [{ quota: 0 }, 'quota', 'Quota must not be 0', '额度不能为 0'],
  [{ quota: 1.5 }, 'quota', 'Quota must be a whole number, at most 9,007,199,254,740,991', undefined],
  [{ quota: 'ten' }, 'quota', 'Quota must be a whole number, at most 9,007,199,254,740,991', undefined],
  [{ quota: 5, remark: 'x'.repeat(201) }, 'remark', 'A remark has at most 200 characters', '备注最多 200 个字符'],
  [{ quota: 5, remark: 'one\ntwo' }, 'remark', 'A remark is one line', '备注只能有一行'],
])('a top-up of %p is refused at %s', async (fields, field, en, zh) => {
  const ann = await visitor()
  const body = { user_id: ann.id, ...fields }
  expect(await topUp(admin, body)).toMatchObject({ status: 400, success: false, message: en, field })
  if (zh) expect(await admin.post('/api/topup', body, { language: 'zh' })).toMatchObject({ message: zh })
  expect(await balance(ann)).toBe(0)
})

test('administrators top up users below them, root everyone, users no one', async () => {
  const ann = await visitor()
  const code = async (person: Person, user_id: number) => (await topUp(person, { user_id, quota: 5 })).status
  expect([
    await code(ann, ann.id),
    await code(admin, ann.id),
    await code(admin, other.id),
    await code(admin, admin.id),
    await code(admin, root.id),
    await code(root, root.id),
    await code(root, 999_999),
  ]).toEqual([403, 200, 403, 403, 403, 200, 404])
})

test('the dialog takes a remark, and shows errors at their fields', async () => {
  const ann = await visitor()
  const page = await (await admin.page(`/admin/users?quota=${ann.id}`)).text()
  expect(page.includes('name="remark"')).toBe(true)
  const send = (fields: Record<string, string>) => admin.form(`/admin/users/${ann.id}/quota`, fields)
  const sent = { quota_delta: '1', remark: 'welcome back', form_id: 'form-remark' }
  expect((await send(sent)).status).toBe(303)
  expect((await send(sent)).status).toBe(303)
  expect(await balance(ann)).toBe(500_000)
  const [row] = await db.select().from(ledger).where(eq(ledger.user_id, ann.id))
  expect(row).toMatchObject({ delta: 500_000, remark: 'welcome back' })
  for (const [fields, id, message] of [
    [{ quota_delta: '-2' }, 'field-quota_delta-error', 'balance'],
    [{ quota_delta: '0' }, 'field-quota_delta-error', 'Quota must not be 0'],
    [{ quota_delta: '1', remark: 'x'.repeat(201) }, 'field-remark-error', 'A remark has at most 200 characters'],
  ] as const) {
    const response = await send({ form_id: `form-${message}`, ...fields })
    const html = await response.text()
    const error = new RegExp(`id="${id}">([\\s\\S]*?)</p>`).exec(html)?.[1] ?? ''
    expect([response.status, error.includes(message)]).toEqual([422, true])
  }
  expect(await balance(ann)).toBe(500_000)
})

test('top-ups while calls are billed lose nothing', async () => {
  const ann = await spendingUser(100_000)
  for (let round = 0; round < 5; round++) {
    const work = [
      ...Array.from({ length: 10 }, () => spend(ann, 10)),
      ...Array.from({ length: 10 }, () => topUp(admin, { user_id: ann.person.id, quota: 7 })),
    ]
    await Promise.all(work)
  }
  expect(await balance(ann.person)).toBe(100_000 - 500 + 350)
  expect((await auditWallets()).difference).toBeUndefined()
})
