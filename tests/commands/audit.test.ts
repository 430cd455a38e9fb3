// @engine both
/** The commands `tollgate audit` and `tollgate backup` on databases in use. */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { db } from '../../src/db/database.ts'
import { dialect } from '../../src/db/dialect.ts'
import { channels } from '../../src/domain/channels/table.ts'
import { tokens } from '../../src/domain/tokens/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { auditWallets } from '../../src/domain/wallet/audit.ts'
import { ledger } from '../../src/domain/wallet/table.ts'
import { env } from '../../src/env.ts'
import { newFolder, run, type Server, startServer } from '../support/app/server.ts'
import { type SpendingUser, spend, spendingUser, theChannel } from '../support/people/spending-user.ts'

let ann: SpendingUser

beforeAll(async () => {
  ann = await spendingUser(1000, 500)
  for (let call = 0; call < 5; call++) await spend(ann, 20)
})

test('consistent books are clean, and every table was checked', async () => {
  expect(await auditWallets()).toEqual({ users: 2, tokens: 1, channels: 1, entries: 2, difference: undefined })
})

const tables = { user: users, token: tokens, channel: channels }

test.each([
  ['user', 'quota', 910, "the ledger's 1000 less the usage of 100 makes it 900"],
  ['user', 'used_quota', 110, 'the usage makes it 100'],
  ['user', 'request_count', 15, 'the usage makes it 5'],
  ['token', 'used_quota', 110, 'the usage makes it 100'],
  ['channel', 'used_quota', 110, 'the usage makes it 100'],
] as const)('ten too many in %s.%s are found and named', async (noun, column, is, but) => {
  const names = { user: ann.person.username, token: 'key', channel: 'c1' }
  const id = { user: ann.person.id, token: ann.token.id, channel: await theChannel() }[noun]
  const table = tables[noun]
  const shift = async (by: number) => {
    const figure = sql`${sql.identifier(column)} + ${by}`
    await db
      .update(table)
      .set({ [column]: figure })
      .where(eq(table.id, id))
  }
  await shift(10)
  const sentence = `${noun} ${id} (${names[noun]}): ${column} is ${is}, but ${but}: a difference of 10`
  expect((await auditWallets()).difference).toBe(sentence)
  await shift(-10)
})

test('a ledger entry with an impossible balance is found', async () => {
  const shift = (by: number) =>
    db
      .update(ledger)
      .set({ balance_after: sql`${ledger.balance_after} + ${by}` })
      .where(eq(ledger.user_id, ann.person.id))
  await shift(1)
  expect((await auditWallets()).difference).toContain('balance_after is 1001, but 0 with 1000 is at most 1000')
  await shift(-1)
})

test('a refund of the ledger that no usage was taken back for is found', async () => {
  const entries = eq(ledger.user_id, ann.person.id)
  const [{ kind }] = (await db.select().from(ledger).where(entries)) as [typeof ledger.$inferSelect]
  await db.update(ledger).set({ kind: 'refund' }).where(entries)
  expect((await auditWallets()).difference).toContain("usage taken back is 0, but the ledger's refunds makes it 1000")
  await db.update(ledger).set({ kind }).where(entries)
})

test('money without a ledger entry is found among many users', async () => {
  const many = Array.from({ length: 1200 }, (_, index) => ({ username: `crowd${index}`, created_time: 0 }))
  await db.insert(users).values(many)
  await db.update(users).set({ quota: 5 }).where(eq(users.username, 'crowd1100'))
  expect((await auditWallets()).difference).toContain('(crowd1100): quota is 5, but')
  await db.update(users).set({ quota: 0 }).where(eq(users.username, 'crowd1100'))
  expect(await auditWallets()).toMatchObject({ users: 1202, difference: undefined })
})

if (dialect === 'postgres')
  test('the command reads a PostgreSQL database; a backup as SQLite file is refused', async () => {
    const settings = { env: { DATABASE_URL: env.DATABASE_URL } }
    expect(await run(['audit'], settings)).toMatchObject({ code: 0, out: expect.stringContaining('audit: clean (') })
    const backup = await run(['backup', join(newFolder(), 'copy.db')], settings)
    expect(backup).toMatchObject({ code: 1, err: expect.stringContaining('a dump has another name') })
  })

if (dialect === 'sqlite') {
  let server: Server
  beforeAll(async () => {
    server = await startServer()
    const root = { username: 'root', password: 'opensesame', confirmPassword: 'opensesame' }
    await fetch(`${server.url}/api/setup`, { method: 'POST', body: JSON.stringify(root) })
  })
  afterAll(() => server.stop())

  const inFile = (file: string, statement: string) => {
    const database = new Database(file)
    database.run('PRAGMA busy_timeout = 1000')
    database.run(statement)
    database.close()
  }

  test('the command checks a running server and exits with 1 at a difference', async () => {
    const { folder } = server
    const clean = 'audit: clean (1 users, 0 tokens, 0 channels, 1 ledger entries, 0 credits with their cause)\n'
    expect(await run(['audit'], { folder })).toMatchObject({ code: 0, out: clean })
    const file = join(folder, 'tollgate.db')
    inFile(file, 'UPDATE users SET quota = quota - 1')
    const found = await run(['audit'], { folder })
    expect(found.code).toBe(1)
    expect(found.out).toBe(
      "audit: user 1 (root): quota is 99999999, but the ledger's 100000000 less the usage of 0 makes it 100000000: a difference of -1\n",
    )
    inFile(file, 'UPDATE users SET quota = quota + 1')
  })

  test('the command names a credit without its order', async () => {
    const { folder } = server
    const file = join(folder, 'tollgate.db')
    const columns = 'user_id, kind, delta, balance_after, reference, created_time'
    inFile(file, `INSERT INTO ledger (${columns}) VALUES (1, 'topup', 5, 100000005, '12', 1)`)
    inFile(file, 'UPDATE users SET quota = quota + 5')
    const { code, out } = await run(['audit'], { folder })
    expect([code, out]).toEqual([1, 'audit: ledger entry 2 of user 1: the credit of 5 (topup) has no order 12\n'])
    inFile(file, "DELETE FROM ledger WHERE kind = 'topup'")
    inFile(file, 'UPDATE users SET quota = quota - 5')
  })

  test('a backup of a running server is complete, private and never overwrites a file', async () => {
    const { folder } = server
    const file = join(newFolder(), 'copy.db')
    await Bun.write(`${file}.partial`, 'what another one left that was killed')
    expect((await run(['backup', file], { folder })).code).toBe(0)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(existsSync(`${file}.partial`)).toBe(false)
    const audited = await run(['audit'], { folder: newFolder(), env: { DATABASE_URL: `file:${file}` } })
    expect(audited).toMatchObject({ code: 0, out: expect.stringContaining('1 users') })
    const again = await run(['backup', file], { folder })
    expect(again).toMatchObject({ code: 1, err: `tollgate: ${file} exists already; a backup never overwrites\n` })
    expect((await run(['backup'], { folder })).err).toBe('tollgate: usage: tollgate backup FILE\n')
  })
}
