// @engine postgres
/** Rows that something else has locked hold up the bills of their own calls alone. */
import { afterEach, expect, test } from 'bun:test'
import { db } from '../../../src/db/database.ts'
import { auditWallets } from '../../../src/domain/wallet/audit.ts'
import { reservations } from '../../../src/domain/wallet/table.ts'
import { type Client, client, RICH } from '../../support/people/client.ts'
import { holding } from '../../support/postgres/locks.ts'
import { chat } from '../../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const OTHERS = 20
/** Of calls that each of them makes while the row is locked. */
const ROUNDS = 3
/** For how long the row is locked: far more than those calls take. */
const LOCKED_MS = 3000
const OTHER_MODEL = 'gpt-4o-mini'

const upstream = await startUpstream(chat())
const channel = await channelTo(upstream)
const elsewhere = await startUpstream(chat(), OTHER_MODEL)
await channelTo(elsewhere, { models: OTHER_MODEL })
const ann = await client()
const others = await Promise.all(Array.from({ length: OTHERS }, () => client()))

afterEach(async () => {
  expect((await auditWallets()).difference).toBeUndefined()
  expect(await db.select().from(reservations)).toEqual([])
})

const rows: [what: string, query: () => string, model: string | undefined][] = [
  ['user', () => `select 1 from users where id = ${ann.person.id} for update`, undefined],
  ['API key', () => `select 1 from tokens where user_id = ${ann.person.id} for update`, undefined],
  ['channel', () => `select 1 from channels where id = ${channel.id} for update`, OTHER_MODEL],
]

test.each(rows)(
  'a locked %s holds up the bills of its own calls, and those of 20 others settle at once',
  async (_, query, model) => {
    const ask = async (who: Client, asked?: string) =>
      expect((await who.chat(asked ? { model: asked } : {})).status).toBe(200)
    const everyone = [ann, ...others]
    for (const who of everyone) await ask(who)
    const before = await Promise.all(everyone.map(who => who.balance()))
    const other = await holding(query())
    const start = performance.now()
    let isBilled = false
    const held = ask(ann).then(() => {
      isBilled = true
    })
    for (let round = 0; round < ROUNDS; round++) await Promise.all(others.map(who => ask(who, model)))
    const took_ms = performance.now() - start
    expect(took_ms).toBeLessThan(LOCKED_MS)
    await Bun.sleep(LOCKED_MS - took_ms)
    expect(isBilled).toBe(false)
    await other.release()
    await held
    const after = await Promise.all(everyone.map(who => who.balance()))
    expect(after.every((balance, at) => balance < before[at]! && balance < RICH)).toBe(true)
  },
)
