// @engine both
/** `tollgate audit --bills`: every logged bill is computed again from its usage and its price version. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '../../src/db/database.ts'
import { dialect } from '../../src/db/dialect.ts'
import { type LogRow, logs } from '../../src/domain/logs/table.ts'
import { auditBills } from '../../src/domain/pricing/index.ts'
import { priceVersions } from '../../src/domain/pricing/table.ts'
import { env } from '../../src/env.ts'
import { resetPrices, setPrice } from '../support/app/prices.ts'
import { run } from '../support/app/server.ts'
import { type Client, client, MODEL } from '../support/people/client.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { served } from '../support/upstream/served-channel.ts'

const usage = {
  prompt_tokens: 1000,
  completion_tokens: 500,
  prompt_tokens_details: { cached_tokens: 200 },
  completion_tokens_details: { reasoning_tokens: 50 },
}

let ann: Client
let calls = 0
const call = async () => {
  expect((await ann.chat()).status).toBe(200)
  calls++
}

beforeAll(async () => {
  ann = await client()
  await served(chat({ usage }))
  await call()
  await setPrice('ReasoningRatio', { [MODEL]: 8 })
  await setPrice('TierRatio', { [MODEL]: [{ from: 500, model_ratio: 3 }] })
  await call()
  await setPrice('ModelPrice', { [MODEL]: 0.01 })
  await call()
  await setPrice('GroupRatio', { default: 0.3 })
  await call()
  await resetPrices()
})
afterAll(async () => expect(await auditBills()).toEqual({ bills: calls, older: 0, difference: undefined }))

const entryOf = async (at: number) => (await db.select().from(logs).where(eq(logs.type, 2)).orderBy(logs.id))[at]!

/** Changes an entry, audits, and changes it back. */
async function differenceAfter(at: number, change: (row: LogRow) => Partial<LogRow>) {
  const row = await entryOf(at)
  const isIt = eq(logs.id, row.id)
  await db.update(logs).set(change(row)).where(isIt)
  const { difference } = await auditBills()
  await db.update(logs).set(row).where(isIt)
  return difference?.replace(`log entry ${row.id} (${MODEL}, user ${ann.person.id}): `, '').replace(/[0-9a-f]{12}/, 'V')
}

const inDetails = (change: (details: any) => void) => (row: LogRow) => {
  const details = JSON.parse(row.other)
  change(details)
  return { other: JSON.stringify(details) }
}

const tampered: [at: number, name: string, change: (row: LogRow) => Partial<LogRow>, difference: string][] = [
  [
    0,
    'the quota',
    row => ({ quota: row.quota - 10 }),
    'quota is 3615, but price version V makes it 3625: a difference of -10',
  ],
  [
    1,
    'the quota of a tier',
    () => ({ quota: 1 }),
    'quota is 1, but price version V makes it 9300: a difference of -9299',
  ],
  [
    2,
    'the quota of a price per call',
    () => ({ quota: 0 }),
    'quota is 0, but price version V makes it 5000: a difference of -5000',
  ],
  [
    0,
    'the ratio of a line',
    inDetails(details => (details.lines[0].ratio = '1')),
    'its bill has input 800 × 1 = 1000 (2.5 per 1000000), but price version V makes it input 800 × 1.25 = 1000 (2.5 per 1000000)',
  ],
  [
    1,
    'a line that was removed',
    inDetails(details => details.lines.pop()),
    'its bill has output 450 × 12 = 5400 (24 per 1000000), but price version V makes it output 400 × 12 = 4800 (24 per 1000000)',
  ],
  [
    3,
    'the group ratio',
    inDetails(details => (details.group_ratio = 1)),
    'quota is 1500, but price version V makes it 5000: a difference of -3500',
  ],
  [
    0,
    'the tokens',
    () => ({ prompt_tokens: 900 }),
    'prompt_tokens is 900, but its bill makes it 1000: a difference of -100',
  ],
  [
    0,
    'the version',
    inDetails(details => (details.price_version = 'gone')),
    'the tables of its price version gone are not stored',
  ],
  [0, 'everything', () => ({ other: '' }), 'it has no price version'],
]

test.each(tampered)('a change of entry %i is found: %s', async (at, _, change, difference) => {
  expect(await differenceAfter(at, change)).toBe(difference)
})

test('entries from before price versions are counted apart', async () => {
  const old = inDetails(details => {
    details.price_version = 'before'
  })
  const row = await entryOf(0)
  await db
    .update(logs)
    .set({ ...old(row), created_at: 1 })
    .where(eq(logs.id, row.id))
  expect(await auditBills()).toEqual({ bills: calls - 1, older: 1, difference: undefined })
  await db.update(logs).set(row).where(eq(logs.id, row.id))
})

test('the tables of a version are as they were, whatever the prices are now', async () => {
  const stored = await db.select().from(priceVersions)
  expect(new Set(stored.map(row => row.version)).size).toBeGreaterThanOrEqual(3)
  await setPrice('ModelRatio', { [MODEL]: 99 })
  expect((await auditBills()).difference).toBeUndefined()
  await resetPrices()
})

if (dialect === 'postgres')
  test('the command computes the bills of a PostgreSQL database again', async () => {
    const settings = { env: { DATABASE_URL: env.DATABASE_URL } }
    expect(await run(['audit', '--bills'], settings)).toMatchObject({
      code: 0,
      out: expect.stringContaining(`${calls} bills)`),
    })
  })
